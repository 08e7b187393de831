package dev.mpiglot.mpi;

import dev.mpiglot.low.Environment;
import dev.mpiglot.low.Errhandler;
import dev.mpiglot.low.Handle;
import java.util.function.IntConsumer;

/** MPI's functions for error handlers, by the kind of the object that has one. */
enum ErrorSourceKind {
    COMM {
        @Override
        Errhandler create(IntConsumer action) {
            return Environment.commCreateErrhandler((comm, code) -> action.accept(code));
        }

        @Override
        Errhandler get(Handle object) {
            return Environment.commGetErrhandler((dev.mpiglot.low.Comm) object);
        }

        @Override
        void set(Handle object, Errhandler handler) {
            Environment.commSetErrhandler((dev.mpiglot.low.Comm) object, handler);
        }

        @Override
        void call(Handle object, int code) {
            Environment.commCallErrhandler((dev.mpiglot.low.Comm) object, code);
        }
    },
    WINDOW {
        @Override
        Errhandler create(IntConsumer action) {
            return Environment.winCreateErrhandler((window, code) -> action.accept(code));
        }

        @Override
        Errhandler get(Handle object) {
            return Environment.winGetErrhandler((dev.mpiglot.low.Win) object);
        }

        @Override
        void set(Handle object, Errhandler handler) {
            Environment.winSetErrhandler((dev.mpiglot.low.Win) object, handler);
        }

        @Override
        void call(Handle object, int code) {
            Environment.winCallErrhandler((dev.mpiglot.low.Win) object, code);
        }
    },
    FILE {
        @Override
        Errhandler create(IntConsumer action) {
            return Environment.fileCreateErrhandler((file, code) -> action.accept(code));
        }

        @Override
        Errhandler get(Handle object) {
            return Environment.fileGetErrhandler((dev.mpiglot.low.File) object);
        }

        @Override
        void set(Handle object, Errhandler handler) {
            Environment.fileSetErrhandler((dev.mpiglot.low.File) object, handler);
        }

        @Override
        void call(Handle object, int code) {
            Environment.fileCallErrhandler((dev.mpiglot.low.File) object, code);
        }
    },
    SESSION {
        @Override
        Errhandler create(IntConsumer action) {
            return Environment.sessionCreateErrhandler((session, code) -> action.accept(code));
        }

        @Override
        Errhandler get(Handle object) {
            return Environment.sessionGetErrhandler((dev.mpiglot.low.Session) object);
        }

        @Override
        void set(Handle object, Errhandler handler) {
            Environment.sessionSetErrhandler((dev.mpiglot.low.Session) object, handler);
        }

        @Override
        void call(Handle object, int code) {
            Environment.sessionCallErrhandler((dev.mpiglot.low.Session) object, code);
        }
    };

    /** Makes a handler of a function, which gets codes. */
    abstract Errhandler create(IntConsumer action);

    abstract Errhandler get(Handle object);

    abstract void set(Handle object, Errhandler handler);

    abstract void call(Handle object, int code);
}
