package dev.mpiglot.mpi;

import dev.mpiglot.low.ErrorClass;
import dev.mpiglot.low.Library;
import dev.mpiglot.low.ThreadLevel;
import java.util.List;

/** Sessions beside the MPI that runs; {@link Ends} has programs without it. */
public final class SessionTests {

    private static final boolean THERE = Library.load().has("MPI_Session_init");
    private static final boolean BUFFERS = Library.load().has("MPI_Session_attach_buffer");

    private SessionTests() {
    }

    private interface Body {
        void run(Session session) throws Exception;
    }

    private static void inSession(Body body) throws Exception {
        if (THERE) {
            try (Session session = Session.open()) {
                body.run(session);
            }
        }
    }

    public static void aLibraryWithoutSessionsIsToldWithASentence(Comm world) {
        if (!THERE) {
            String told = Check.fails(UnavailableException.class, Session::open).getMessage();
            Check.isTrue(told.contains("MPI_Session_init") && told.contains("newer MPI"), told);
            Check.fails(UnavailableException.class, () -> Session.open(null));
        }
    }

    public static void setsOfProcessesAreGroups(Comm world) throws Exception {
        inSession(session -> {
            List<String> sets = session.processSets();
            Check.isTrue(sets.stream().anyMatch(Session.WORLD::equalsIgnoreCase), "no world in " + sets);
            try (Group all = session.group(Session.WORLD); Group self = session.group(Session.SELF);
                    Info info = session.processSetInfo(Session.WORLD); Info used = session.info()) {
                Check.equal(all.size(), world.size());
                Check.equal(all.rank().getAsInt(), world.rank());
                Check.equal(self.size(), 1);
                Check.equal(info.get("mpi_size").orElse("none"), Integer.toString(world.size()));
                used.keys();
            }
            Check.isTrue(session.threadLevel() != null, "no level");
        });
    }

    public static void communicatorsOfSessionsCarryMessages(Comm world) throws Exception {
        inSession(session -> {
            try (Group all = session.group(Session.WORLD); Comm comm = session.createComm(all, "test", null)) {
                int[] sum = {comm.rank() + 1};
                comm.allreduce(sum, Op.SUM);
                Check.equal(sum[0], comm.size() * (comm.size() + 1) / 2);
                MpiException e = Check.fails(MpiException.class, () -> comm.send(new int[1], 9999, 0));
                Check.equal(e.kind(), ErrorClass.ERR_RANK);
                try (Group even = all.rangeIncl(new Group.Range(0, all.size() - 1, 2))) {
                    if (comm.rank() % 2 == 0) {
                        try (Comm half = session.createComm(even, "even", null)) {
                            Check.equal(half.size(), (comm.size() + 1) / 2);
                        }
                    }
                }
            }
        });
    }

    public static void groupsOfASessionAreJoined(Comm world) throws Exception {
        if (world.size() < 2) {
            return;
        }
        inSession(session -> {
            try (Group all = session.group(Session.WORLD); Group first = all.incl(0); Group rest = all.excl(0)) {
                boolean isFirst = world.rank() == 0;
                try (Intercomm joined = session.createIntercomm(isFirst ? first : rest, 0, isFirst ? rest : first, 0, "join",
                        null); Comm merged = joined.merge(!isFirst)) {
                    Check.equal(joined.remoteSize(), isFirst ? world.size() - 1 : 1);
                    Check.equal(merged.size(), world.size());
                }
            }
        });
    }

    public static void closingASessionClosesItsCommunicators(Comm world) throws Exception {
        if (!THERE) {
            return;
        }
        Session session = Session.open();
        Group all = session.group(Session.WORLD);
        Comm comm = session.createComm(all, "left open", null);
        all.close();
        session.close();
        session.close();
        Check.fails(IllegalStateException.class, comm::rank);
        Check.fails(IllegalStateException.class, session::processSets);
        Check.fails(IllegalStateException.class, session::info);
        Check.fails(IllegalStateException.class, session::handle);
        Check.fails(IllegalStateException.class, () -> session.group(Session.SELF));
    }

    public static void severalSessionsAreOpenAtOnce(Comm world) throws Exception {
        inSession(first -> inSession(second -> {
            try (Group one = first.group(Session.SELF); Group other = second.group(Session.SELF);
                    Comm mine = first.createComm(one, "one", null); Comm its = second.createComm(other, "two", null)) {
                mine.barrier();
                its.barrier();
            }
        }));
    }

    public static void sessionsHaveErrorHandlers(Comm world) throws Exception {
        inSession(session -> {
            int[] told = {0};
            try (ErrorHandler handler = ErrorHandler.of(error -> told[0]++)) {
                Check.isTrue(session.errorHandler() == ErrorHandler.ERRORS_RETURN, "another handler");
                session.setErrorHandler(handler);
                Check.isTrue(session.errorHandler() == handler, "another handler");
                session.callErrorHandler(ErrorCode.addClass("of a session"));
                Check.equal(told[0], 1);
            }
        });
    }

    public static void sessionsHaveMemoryForMessages(Comm world) throws Exception {
        inSession(session -> {
            if (!BUFFERS) {
                Check.fails(UnavailableException.class, () -> session.attachBuffer(1000));
                Check.fails(IllegalStateException.class, session::detachBuffer);
                return;
            }
            try (Group self = session.group(Session.SELF); Comm comm = session.createComm(self, "memory", null)) {
                session.attachBuffer(10_000);
                Check.fails(IllegalStateException.class, () -> session.attachBuffer(1000));
                comm.bsend(MpiBuffer.of(new int[] {4}), 0, 3);
                int[] got = new int[1];
                comm.recv(got, 0, 3);
                Check.equal(got[0], 4);
                session.flushBuffer();
                session.iflushBuffer().await();
                session.detachBuffer();
                Check.fails(IllegalStateException.class, session::flushBuffer);
            }
        });
    }

    public static void wrongUseOfSessionsIsRefused(Comm world) throws Exception {
        inSession(session -> {
            Check.fails(IllegalArgumentException.class, () -> session.group(null));
            String told = Check.fails(IllegalArgumentException.class, () -> session.group("mpi://NOWHERE")).getMessage();
            Check.isTrue(told.contains("mpi://NOWHERE"), told);
            Check.fails(IllegalArgumentException.class, () -> session.processSetInfo("no"));
            Check.fails(IllegalArgumentException.class, () -> session.createComm(null, "x", null));
            Check.fails(IllegalArgumentException.class, () -> session.createComm(Group.EMPTY, "x", null));
            try (Group self = session.group(Session.SELF)) {
                Check.fails(IllegalArgumentException.class, () -> session.createComm(self, null, null));
                Check.fails(IllegalArgumentException.class, () -> session.createIntercomm(self, 1, self, 0, "x", null));
                Check.fails(IllegalArgumentException.class, () -> session.createIntercomm(self, 0, null, 0, "x", null));
            }
            Group closed = session.group(Session.SELF);
            closed.close();
            Check.fails(IllegalStateException.class, () -> session.createComm(closed, "x", null));
            Info hints = Info.create();
            hints.close();
            Check.fails(IllegalStateException.class, () -> Session.open(hints));
        });
    }

    public static void virtualThreadsUseSessions(Comm world) throws Exception {
        if (AllTests.mpi().threadLevel() != ThreadLevel.MULTIPLE) {
            return;
        }
        inSession(session -> {
            Throwable[] thrown = new Throwable[1];
            Thread.ofVirtual().start(() -> {
                try (Group all = session.group(Session.WORLD); Comm comm = session.createComm(all, "virtual", null)) {
                    comm.barrier();
                } catch (Throwable t) {
                    thrown[0] = t;
                }
            }).join();
            Check.isTrue(thrown[0] == null, "threw " + thrown[0]);
        });
    }
}
