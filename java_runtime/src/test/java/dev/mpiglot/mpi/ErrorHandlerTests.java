package dev.mpiglot.mpi;

import dev.mpiglot.low.Environment;
import dev.mpiglot.low.ErrhandlerHandle;
import dev.mpiglot.low.ErrorClass;
import dev.mpiglot.low.Library;
import dev.mpiglot.low.MpiConstants;
import dev.mpiglot.mpi.Element.Ints;
import java.util.ArrayList;
import java.util.List;

/** Error handlers of the program, and classes and codes of errors that it adds. */
public final class ErrorHandlerTests {

    private static final boolean REMOVES = Library.load().has("MPI_Remove_error_class");

    private ErrorHandlerTests() {
    }

    private static void fail(Comm comm) {
        comm.send(new int[1], 9999, 0);
    }

    public static void exceptionsAreTheDefault(Comm world) {
        Check.isTrue(world.errorHandler() == ErrorHandler.ERRORS_RETURN, "another handler");
        try (Comm other = world.dup()) {
            Check.isTrue(other.errorHandler() == ErrorHandler.ERRORS_RETURN, "another handler of a duplicate");
        }
    }

    public static void handlersOfMpiAreToldAsTheyAre(Comm world) {
        try (Comm comm = world.dup()) {
            comm.setErrorHandler(ErrorHandler.ERRORS_ARE_FATAL);
            Check.isTrue(comm.errorHandler() == ErrorHandler.ERRORS_ARE_FATAL, "another handler");
            if (ErrhandlerHandle.ERRORS_ABORT.equals(ErrhandlerHandle.NULL)) {
                Check.fails(UnsupportedOperationException.class, () -> comm.setErrorHandler(ErrorHandler.ERRORS_ABORT));
            } else {
                comm.setErrorHandler(ErrorHandler.ERRORS_ABORT);
                Check.isTrue(comm.errorHandler() == ErrorHandler.ERRORS_ABORT, "another handler");
            }
            comm.setErrorHandler(ErrorHandler.ERRORS_RETURN);
            Check.fails(MpiException.class, () -> fail(comm));
        }
    }

    public static void aHandlerIsToldBeforeTheCallThrows(Comm world) {
        List<ErrorClass> told = new ArrayList<>();
        try (Comm comm = world.dup(); ErrorHandler handler = ErrorHandler.of(error -> told.add(error.kind()))) {
            comm.setErrorHandler(handler);
            Check.isTrue(comm.errorHandler() == handler, "another handler");
            for (int time = 1; time <= 3; time++) {
                MpiException e = Check.fails(MpiException.class, () -> fail(comm));
                Check.equal(e.kind(), ErrorClass.ERR_RANK);
                Check.equal(e.function(), "MPI_Send");
                Check.isTrue(!(e instanceof CallbackException), "a callback failed: " + e);
                Check.equal(told.size(), time);
                Check.equal(told.get(0), ErrorClass.ERR_RANK);
            }
            comm.setErrorHandler(ErrorHandler.ERRORS_RETURN);
            Check.fails(MpiException.class, () -> fail(comm));
            Check.equal(told.size(), 3);
            comm.barrier();
        }
    }

    public static void handlersAreToldOfOperationsThatDoNotBegin(Comm world) {
        int[] told = {0};
        try (Comm comm = world.dup(); ErrorHandler handler = ErrorHandler.of(error -> told[0]++)) {
            comm.setErrorHandler(handler);
            MpiException e = Check.fails(MpiException.class, () -> comm.isend(new int[1], 9999, 0));
            Check.equal(e.kind(), ErrorClass.ERR_RANK);
            Check.equal(e.function(), "MPI_Isend");
            Check.fails(MpiException.class, () -> comm.sendInit(MpiBuffer.of(new int[1]), 9999, 0));
            Check.fails(MpiException.class, () -> comm.bcast(new int[1], 9999));
            Check.equal(told[0], 3);
            comm.barrier();
        }
    }

    public static void duplicatesInheritTheHandler(Comm world) {
        int[] told = {0};
        ErrorHandler handler = ErrorHandler.of(error -> told[0]++);
        try (Comm comm = world.dup()) {
            comm.setErrorHandler(handler);
            handler.close();
            handler.close();
            try (Comm other = comm.dup(); ErrorHandler same = other.errorHandler()) {
                Check.isTrue(same != handler, "a closed handler");
                comm.setErrorHandler(same);
                Check.fails(MpiException.class, () -> fail(other));
            }
            Check.equal(told[0], 1);
            Check.fails(IllegalStateException.class, () -> comm.setErrorHandler(handler));
        }
    }

    /** MPICH gives these the handler that ends the job. */
    public static void allNewCommunicatorsInheritTheHandler(Comm world) {
        int[] told = {0};
        try (Comm comm = world.dup(); ErrorHandler handler = ErrorHandler.of(error -> told[0]++); Group all = comm.group()) {
            inherits(comm, ErrorHandler.ERRORS_RETURN, all);
            comm.setErrorHandler(handler);
            inherits(comm, handler, all);
            Check.equal(told[0], 2);
            if (comm.size() > 1 && comm.size() % 2 == 0) {
                try (Comm half = comm.split(comm.rank() % 2, 0);
                        Intercomm two = half.createIntercomm(0, comm, 1 - comm.rank() % 2, 0);
                        Comm merged = two.merge(comm.rank() % 2 == 1)) {
                    Check.isTrue(merged.errorHandler() == two.errorHandler(), "another handler of a merged communicator");
                    Check.fails(MpiException.class, () -> fail(merged));
                }
                Check.equal(told[0], 3);
            }
        }
    }

    private static void inherits(Comm comm, ErrorHandler handler, Group all) {
        try (Comm created = comm.create(all); Comm grouped = comm.createGroup(all, 0)) {
            for (Comm one : List.of(created, grouped)) {
                Check.isTrue(one.errorHandler() == handler, "another handler");
                Check.fails(MpiException.class, () -> fail(one));
            }
        }
    }

    public static void whatAHandlerThrowsIsTheCauseOfTheException(Comm world) {
        try (Comm comm = world.dup(); ErrorHandler handler = ErrorHandler.of(error -> {
            throw new UnsupportedOperationException("no errors today");
        })) {
            comm.setErrorHandler(handler);
            CallbackException e = Check.fails(CallbackException.class, () -> fail(comm));
            Check.equal(e.getCause().getMessage(), "no errors today");
            e = Check.fails(CallbackException.class, () -> comm.callErrorHandler(ErrorCode.addClass("a class")));
            Check.equal(e.getCause().getMessage(), "no errors today");
            comm.barrier();
        }
    }

    public static void handlersAreCalledByTheProgram(Comm world) {
        ErrorCode added = ErrorCode.addClass("the ice is thin");
        List<ErrorCode> told = new ArrayList<>();
        try (Comm comm = world.dup(); ErrorHandler handler = ErrorHandler.of(told::add)) {
            MpiException e = Check.fails(MpiException.class, () -> comm.callErrorHandler(added));
            Check.equal(e.code(), added.code());
            Check.isTrue(e.getMessage().contains("the ice is thin"), e.getMessage());
            comm.setErrorHandler(handler);
            comm.callErrorHandler(added);
            Check.equal(told, List.of(added));
        }
    }

    public static void windowsAndFilesHaveHandlers(Comm world) throws Exception {
        int[] told = {0};
        try (ErrorHandler handler = ErrorHandler.of(error -> told[0]++)) {
            if (world.size() > 1) {
                try (Window<Ints> window = world.allocateWindow(Datatype.INT, 1, null)) {
                    uses(window, handler);
                }
                Check.equal(told[0], 1);
                told[0] = 0;
            }
            FileTests.inFolder(world, path -> {
                try (MpiFile file = world.openFile(path, FileMode.READ_WRITE, FileMode.CREATE)) {
                    uses(file, handler);
                }
            });
            Check.equal(told[0], 1);
        }
    }

    private static void uses(ErrorSource source, ErrorHandler handler) {
        Check.isTrue(source.errorHandler() == ErrorHandler.ERRORS_RETURN, "another handler");
        source.setErrorHandler(handler);
        Check.isTrue(source.errorHandler() == handler, "another handler");
        source.callErrorHandler(ErrorCode.addClass("of a source"));
        source.setErrorHandler(ErrorHandler.ERRORS_RETURN);
        Check.fails(MpiException.class, () -> source.callErrorHandler(ErrorCode.addClass("of a source")));
    }

    public static void handlersOfTheLayerBelowAreTold(Comm world) {
        int[] told = {0};
        ErrhandlerHandle made = Environment.commCreateErrhandler((comm, code) -> told[0]++);
        try (Comm comm = world.dup(); Comm other = world.dup()) {
            Environment.commSetErrhandler(comm.handle(), made);
            try (ErrorHandler foreign = comm.errorHandler()) {
                other.setErrorHandler(foreign);
            }
            other.callErrorHandler(ErrorCode.addClass("a class"));
            Check.equal(told[0], 1);
        }
        Environment.errhandlerFree(made);
    }

    public static void wrongUseOfHandlersIsRefused(Comm world) {
        Check.fails(IllegalArgumentException.class, () -> ErrorHandler.of(null));
        Check.fails(IllegalArgumentException.class, () -> world.setErrorHandler(null));
        Check.fails(IllegalArgumentException.class, () -> world.callErrorHandler(null));
        ErrorHandler.ERRORS_RETURN.close();
        world.setErrorHandler(ErrorHandler.ERRORS_RETURN);
        Comm closed = world.dup();
        closed.close();
        Check.fails(IllegalStateException.class, closed::errorHandler);
        Check.fails(IllegalStateException.class, () -> closed.setErrorHandler(ErrorHandler.ERRORS_RETURN));
    }

    public static void manyHandlersMayBeMadeAndClosed(Comm world) {
        int[] told = {0};
        try (Comm comm = world.dup()) {
            for (int i = 0; i < 300; i++) {
                try (ErrorHandler handler = ErrorHandler.of(error -> told[0]++)) {
                    comm.setErrorHandler(handler);
                }
                Check.fails(MpiException.class, () -> fail(comm));
            }
        }
        Check.equal(told[0], 300);
    }

    public static void theProgramAddsClassesAndCodes(Comm world) {
        ErrorCode added = ErrorCode.addClass("the sea is rough");
        Check.equal(added.errorClass(), added.code());
        Check.equal(added.text(), "the sea is rough");
        Check.equal(added.kind(), ErrorClass.ERR_UNKNOWN);
        ErrorCode code = added.addCode("waves of 3 m");
        Check.equal(code.errorClass(), added.code());
        Check.equal(code.text(), "waves of 3 m");
        code.setText("waves of 4 m");
        Check.equal(code.text(), "waves of 4 m");
        ErrorCode ofMpi = new ErrorCode(MpiConstants.ERR_TAG).addCode("a tag that we do not use");
        Check.equal(ofMpi.kind(), ErrorClass.ERR_TAG);
        Check.equal(ofMpi.text(), "a tag that we do not use");
        Check.isTrue(!new ErrorCode(MpiConstants.ERR_TAG).text().isEmpty(), "no text");
    }

    public static void addedClassesAreRemoved(Comm world) {
        ErrorCode added = ErrorCode.addClass("for a while");
        ErrorCode code = added.addCode("for a while, too");
        if (!REMOVES) {
            Check.fails(UnavailableException.class, code::remove);
            Check.fails(UnavailableException.class, code::removeText);
            return;
        }
        Check.fails(IllegalStateException.class, added::remove);
        code.remove();
        Check.fails(IllegalStateException.class, code::remove);
        added.remove();
        Check.fails(IllegalStateException.class, () -> added.setText("gone"));
    }

    public static void wrongUseOfCodesIsRefused(Comm world) {
        Check.fails(IllegalArgumentException.class, () -> ErrorCode.addClass(null));
        Check.fails(IllegalArgumentException.class, () -> ErrorCode.addClass("x".repeat(256)));
        Check.fails(IllegalArgumentException.class, () -> ErrorCode.addClass("a\0b"));
        ErrorCode ofMpi = new ErrorCode(MpiConstants.ERR_TAG);
        Check.fails(IllegalStateException.class, () -> ofMpi.setText("mine"));
        Check.fails(IllegalStateException.class, ofMpi::removeText);
        Check.fails(IllegalStateException.class, ofMpi::remove);
        Check.equal(ErrorCode.addClass("x".repeat(255)).text(), "x".repeat(255));
    }
}
