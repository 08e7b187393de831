module mpiglot.dev/plugins/rust

go 1.21
