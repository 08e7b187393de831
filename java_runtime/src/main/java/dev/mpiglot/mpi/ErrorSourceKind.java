package dev.mpiglot.mpi;

import dev.mpiglot.low.CommHandle;
import dev.mpiglot.low.Environment;
import dev.mpiglot.low.ErrhandlerHandle;
import dev.mpiglot.low.FileHandle;
import dev.mpiglot.low.Handle;
import dev.mpiglot.low.SessionHandle;
import dev.mpiglot.low.WinHandle;
import java.util.function.IntConsumer;

/** MPI's functions for error handlers, by the kind of the object that has one. */
enum ErrorSourceKind {
    COMM {
        @Override
        ErrhandlerHandle create(IntConsumer action) {
            return Environment.commCreateErrhandler((comm, code) -> action.accept(code));
        }

        @Override
        ErrhandlerHandle get(Handle object) {
            return Environment.commGetErrhandler((CommHandle) object);
        }

        @Override
        void set(Handle object, ErrhandlerHandle handler) {
            Environment.commSetErrhandler((CommHandle) object, handler);
        }

        @Override
        void call(Handle object, int code) {
            Environment.commCallErrhandler((CommHandle) object, code);
        }
    },
    WINDOW {
        @Override
        ErrhandlerHandle create(IntConsumer action) {
            return Environment.winCreateErrhandler((window, code) -> action.accept(code));
        }

        @Override
        ErrhandlerHandle get(Handle object) {
            return Environment.winGetErrhandler((WinHandle) object);
        }

        @Override
        void set(Handle object, ErrhandlerHandle handler) {
            Environment.winSetErrhandler((WinHandle) object, handler);
        }

        @Override
        void call(Handle object, int code) {
            Environment.winCallErrhandler((WinHandle) object, code);
        }
    },
    FILE {
        @Override
        ErrhandlerHandle create(IntConsumer action) {
            return Environment.fileCreateErrhandler((file, code) -> action.accept(code));
        }

        @Override
        ErrhandlerHandle get(Handle object) {
            return Environment.fileGetErrhandler((FileHandle) object);
        }

        @Override
        void set(Handle object, ErrhandlerHandle handler) {
            Environment.fileSetErrhandler((FileHandle) object, handler);
        }

        @Override
        void call(Handle object, int code) {
            Environment.fileCallErrhandler((FileHandle) object, code);
        }
    },
    SESSION {
        @Override
        ErrhandlerHandle create(IntConsumer action) {
            return Environment.sessionCreateErrhandler((session, code) -> action.accept(code));
        }

        @Override
        ErrhandlerHandle get(Handle object) {
            return Environment.sessionGetErrhandler((SessionHandle) object);
        }

        @Override
        void set(Handle object, ErrhandlerHandle handler) {
            Environment.sessionSetErrhandler((SessionHandle) object, handler);
        }

        @Override
        void call(Handle object, int code) {
            Environment.sessionCallErrhandler((SessionHandle) object, code);
        }
    };

    /** Makes a handler of a function, which gets codes. */
    abstract ErrhandlerHandle create(IntConsumer action);

    abstract ErrhandlerHandle get(Handle object);

    abstract void set(Handle object, ErrhandlerHandle handler);

    abstract void call(Handle object, int code);
}
