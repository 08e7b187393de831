/** Tests of JUnit 5 that run on several ranks: {@link dev.mpiglot.junit.MpiTest}. */
package dev.mpiglot.junit;
