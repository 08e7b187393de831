package dev.mpiglot.mpi;

import dev.mpiglot.low.Attributes;
import dev.mpiglot.low.Handle;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** MPI's functions for names and attributes, by the kind of the object that has them. */
enum ObjectKind {
    COMM {
        @Override
        int create(AttributeKey<?> key) {
            return Attributes.commCreateKeyval((object, number, in, out, flag) -> key.copy(in, out, flag),
                    (object, number, value) -> key.deleted(value));
        }

        @Override
        void free(int key) {
            Attributes.commFreeKeyval(new int[] {key});
        }

        @Override
        void set(Handle object, int key, MemorySegment value) {
            Attributes.commSetAttr((dev.mpiglot.low.Comm) object, key, value);
        }

        @Override
        Optional<MemorySegment> get(Handle object, int key) {
            return Attributes.commGetAttr((dev.mpiglot.low.Comm) object, key);
        }

        @Override
        void delete(Handle object, int key) {
            Attributes.commDeleteAttr((dev.mpiglot.low.Comm) object, key);
        }

        @Override
        String name(Handle object) {
            return Attributes.commGetName((dev.mpiglot.low.Comm) object);
        }

        @Override
        void setName(Handle object, String name) {
            Attributes.commSetName((dev.mpiglot.low.Comm) object, name);
        }
    },
    TYPE {
        @Override
        int create(AttributeKey<?> key) {
            return Attributes.typeCreateKeyval((object, number, in, out, flag) -> key.copy(in, out, flag),
                    (object, number, value) -> key.deleted(value));
        }

        @Override
        void free(int key) {
            Attributes.typeFreeKeyval(new int[] {key});
        }

        @Override
        void set(Handle object, int key, MemorySegment value) {
            Attributes.typeSetAttr((dev.mpiglot.low.Datatype) object, key, value);
        }

        @Override
        Optional<MemorySegment> get(Handle object, int key) {
            return Attributes.typeGetAttr((dev.mpiglot.low.Datatype) object, key);
        }

        @Override
        void delete(Handle object, int key) {
            Attributes.typeDeleteAttr((dev.mpiglot.low.Datatype) object, key);
        }

        @Override
        String name(Handle object) {
            return Attributes.typeGetName((dev.mpiglot.low.Datatype) object);
        }

        @Override
        void setName(Handle object, String name) {
            Attributes.typeSetName((dev.mpiglot.low.Datatype) object, name);
        }
    },
    WINDOW {
        @Override
        int create(AttributeKey<?> key) {
            return Attributes.winCreateKeyval((object, number, in, out, flag) -> key.copy(in, out, flag),
                    (object, number, value) -> key.deleted(value));
        }

        @Override
        void free(int key) {
            Attributes.winFreeKeyval(new int[] {key});
        }

        @Override
        void set(Handle object, int key, MemorySegment value) {
            Attributes.winSetAttr((dev.mpiglot.low.Win) object, key, value);
        }

        @Override
        Optional<MemorySegment> get(Handle object, int key) {
            return Attributes.winGetAttr((dev.mpiglot.low.Win) object, key);
        }

        @Override
        void delete(Handle object, int key) {
            Attributes.winDeleteAttr((dev.mpiglot.low.Win) object, key);
        }

        @Override
        String name(Handle object) {
            return Attributes.winGetName((dev.mpiglot.low.Win) object);
        }

        @Override
        void setName(Handle object, String name) {
            Attributes.winSetName((dev.mpiglot.low.Win) object, name);
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
