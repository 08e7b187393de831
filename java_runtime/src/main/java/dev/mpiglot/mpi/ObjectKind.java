package dev.mpiglot.mpi;

import dev.mpiglot.low.Caching;
import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.DatatypeHandle;
import dev.mpiglot.low.Handle;
import dev.mpiglot.low.WinHandle;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** MPI's functions for names and attributes, by the kind of the object that has them. */
enum ObjectKind {
    COMM {
        @Override
        int create(AttributeKey<?> key) {
            return Caching.commCreateKeyval((object, number, in, out, flag) -> key.copy(in, out, flag),
                    (object, number, value) -> key.deleted(value));
        }

        @Override
        void free(int key) {
            Caching.commFreeKeyval(new int[] {key});
        }

        @Override
        void set(Handle object, int key, MemorySegment value) {
            Caching.commSetAttr((CommHandle) object, key, value);
        }

        @Override
        Optional<MemorySegment> get(Handle object, int key) {
            return Caching.commGetAttr((CommHandle) object, key);
        }

        @Override
        void delete(Handle object, int key) {
            Caching.commDeleteAttr((CommHandle) object, key);
        }

        @Override
        String name(Handle object) {
            return Caching.commGetName((CommHandle) object);
        }

        @Override
        void setName(Handle object, String name) {
            Caching.commSetName((CommHandle) object, name);
        }
    },
    TYPE {
        @Override
        int create(AttributeKey<?> key) {
            return Caching.typeCreateKeyval((object, number, in, out, flag) -> key.copy(in, out, flag),
                    (object, number, value) -> key.deleted(value));
        }

        @Override
        void free(int key) {
            Caching.typeFreeKeyval(new int[] {key});
        }

        @Override
        void set(Handle object, int key, MemorySegment value) {
            Caching.typeSetAttr((DatatypeHandle) object, key, value);
        }

        @Override
        Optional<MemorySegment> get(Handle object, int key) {
            return Caching.typeGetAttr((DatatypeHandle) object, key);
        }

        @Override
        void delete(Handle object, int key) {
            Caching.typeDeleteAttr((DatatypeHandle) object, key);
        }

        @Override
        String name(Handle object) {
            return Caching.typeGetName((DatatypeHandle) object);
        }

        @Override
        void setName(Handle object, String name) {
            Caching.typeSetName((DatatypeHandle) object, name);
        }
    },
    WINDOW {
        @Override
        int create(AttributeKey<?> key) {
            return Caching.winCreateKeyval((object, number, in, out, flag) -> key.copy(in, out, flag),
                    (object, number, value) -> key.deleted(value));
        }

        @Override
        void free(int key) {
            Caching.winFreeKeyval(new int[] {key});
        }

        @Override
        void set(Handle object, int key, MemorySegment value) {
            Caching.winSetAttr((WinHandle) object, key, value);
        }

        @Override
        Optional<MemorySegment> get(Handle object, int key) {
            return Caching.winGetAttr((WinHandle) object, key);
        }

        @Override
        void delete(Handle object, int key) {
            Caching.winDeleteAttr((WinHandle) object, key);
        }

        @Override
        String name(Handle object) {
            return Caching.winGetName((WinHandle) object);
        }

        @Override
        void setName(Handle object, String name) {
            Caching.winSetName((WinHandle) object, name);
        }
    };

    /** MPI's number for a key. */
    abstract int create(AttributeKey<?> key);

    abstract void free(int key);

    abstract void set(Handle object, int key, MemorySegment value);

    abstract Optional<MemorySegment> get(Handle object, int key);

    abstract void delete(Handle object, int key);

    abstract String name(Handle object);

    abstract void setName(Handle object, String name);
}
