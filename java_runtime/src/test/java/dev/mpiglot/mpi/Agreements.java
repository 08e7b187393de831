package dev.mpiglot.mpi;

import dev.mpiglot.mpi.MistakenCall.Form;

/** With {@code mpiglot.checks=communication}, a mistake of one rank is an exception on all, and the next call works. */
public final class Agreements {

    private static int cases;
    private static int wrong;

    private Agreements() {
    }

    public static void main(String[] args) {
        Mpi.run(mpi -> {
            Comm world = mpi.world();
            Cart ring = world.createCart(new int[] {world.size()}, new boolean[] {true}, false);
            for (Form form : Form.values()) {
                for (MistakenCall.Op op : MistakenCall.Op.values()) {
                    for (int mistaken = 0; mistaken < world.size() && all(world, ring, op, form, mistaken); mistaken++) {
                    }
                }
            }
            int[] sum = {wrong};
            world.allreduce(sum, Op.SUM);
            if (world.rank() == 0) {
                System.out.println("agreements: " + cases + " cases, " + sum[0] + " failed");
            }
        });
    }

    private static boolean all(Comm world, Cart ring, MistakenCall.Op op, Form form, int mistaken) {
        Comm comm = op.isAmongNeighbors() ? ring : world;
        return once(new MistakenCall(op, comm, 0), form, mistaken, call -> {
            call.sent = null;
            call.received = null;
            call.sentList = null;
        }) && (!op.isRooted() || once(new MistakenCall(op, comm, 0), form, mistaken, call -> call.root = 1)
                && once(new MistakenCall(op, comm, 0), form, mistaken, call -> call.root = -1))
                && (!op.reduces() || once(new MistakenCall(op, comm, 0), form, mistaken, call -> call.reduction = null))
                && (!op.givesParts() || once(new MistakenCall(op, comm, 0), form, mistaken, call -> call.counts = null))
                && (!op.getsParts() || once(new MistakenCall(op, comm, 0), form, mistaken,
                        call -> call.receivedCounts = new int[9]))
                && (op != MistakenCall.Op.ALLTOALLV || once(new MistakenCall(op, comm, 0), form, mistaken,
                        call -> call.counts[call.rank] = 0));
    }

    /** Whether the library has the function. */
    private static boolean once(MistakenCall call, Form form, int mistaken, Mistakes.Change change) {
        MistakenCall next = new MistakenCall(call.op, call.comm, 0);
        try {
            if (call.rank == mistaken) {
                change.make(call);
            }
            cases++;
            boolean isRootOnly = call.op.isRooted() && (call.op.givesParts() || call.op.getsParts()) && mistaken != 0;
            try {
                call.make(form);
                if (!isRootOnly) {
                    tell(call, form, "nothing was thrown");
                }
            } catch (DisagreementException e) {
                if (call.rank == mistaken && !e.getMessage().contains("roots")) {
                    tell(call, form, e.toString());
                }
            } catch (IllegalArgumentException e) {
                if (call.rank != mistaken) {
                    tell(call, form, e.toString());
                }
            }
            next.make(form);
            if (form != Form.PREPARED) {
                next.requireData(-2);
            }
            return true;
        } catch (UnavailableException e) {
            return false;
        }
    }

    private static void tell(MistakenCall call, Form form, String what) {
        wrong++;
        System.out.println(call.op + " " + form + ", rank " + call.rank + ": " + what);
    }
}
