import java.util.Arrays;
import mpi.Info;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/**
 * The first two processes connect at a port. With the name of a program ({@code Ports /path/of/migration}) all start
 * processes of it.
 */
class Ports extends Checked {

    private static final Intracomm WORLD = MPI.COMM_WORLD;

    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        Intercomm parent = Intercomm.getParent();
        if (!parent.isNull()) {
            parent.send(new int[] {WORLD.getRank() + 40}, 1, MPI.INT, 0, 1);
            parent.disconnect();
        } else {
            int rank = WORLD.getRank();
            if (WORLD.getSize() > 1) {
                connect(rank);
            }
            if (args.length > 0) {
                start(args[0], rank);
            }
            mistakes();
            if (rank == 0) {
                System.out.println("ports: " + WORLD.getSize());
            }
        }
        MPI.Finalize();
    }

    private static void connect(int rank) throws MPIException {
        byte[] name = new byte[MPI.MAX_PORT_NAME];
        String port = "";
        for (boolean hinted : new boolean[] {false, true}) {
            if (rank == 0) {
                name = Arrays.copyOf(open(hinted).getBytes(), MPI.MAX_PORT_NAME);
            }
            WORLD.bcast(name, name.length, MPI.BYTE, 0);
            port = new String(name).trim();
            if (port.isEmpty()) {
                return;
            }
            if (rank == 0) {
                publish(port, hinted);
                talk(hinted ? MPI.COMM_SELF.accept(port, MPI.INFO_NULL, 0) : MPI.COMM_SELF.accept(port, 0), 0);
                Intracomm.closePort(port);
            } else if (rank == 1) {
                talk(hinted ? MPI.COMM_SELF.connect(port, MPI.INFO_NULL, 0) : MPI.COMM_SELF.connect(port, 0), 1);
            }
            WORLD.barrier();
        }
    }

    /** The name of a port, empty where MPI has none (MPICH over UCX). */
    private static String open(boolean hinted) {
        try {
            return hinted ? Intracomm.openPort(MPI.INFO_NULL) : Intracomm.openPort();
        } catch (MPIException e) {
            System.out.println("no ports: " + e.getMessage().lines().findFirst().orElse(""));
            return "";
        }
    }

    private static void publish(String port, boolean hinted) throws MPIException {
        String service = "mpiglot-" + ProcessHandle.current().pid() + hinted;
        if (hinted) {
            Intracomm.publishName(service, MPI.INFO_NULL, port);
            require(port.equals(Intracomm.lookupName(service, MPI.INFO_NULL)), "lookupName");
            Intracomm.unpublishName(service, MPI.INFO_NULL, port);
        } else {
            Intracomm.publishName(service, port);
            require(port.equals(Intracomm.lookupName(service)), "lookupName");
            Intracomm.unpublishName(service, port);
        }
    }

    private static void talk(Intercomm other, int rank) throws MPIException {
        int[] came = new int[1];
        other.sendRecv(new int[] {rank}, 1, MPI.INT, 0, 2, came, 1, MPI.INT, 0, 2);
        require(came[0] == 1 - rank && other.getRemoteSize() == 1, "connect");
        other.disconnect();
    }

    private static void start(String program, int rank) throws MPIException {
        int[] errors = {-1};
        Intercomm child = WORLD.spawn(program, new String[] {"Ports"}, 1, MPI.INFO_NULL, 0, errors);
        hear(child, rank, 1);
        require(rank > 0 || errors[0] == MPI.SUCCESS, "spawn");
        Intercomm two = WORLD.spawnMultiple(new String[] {program, program}, new String[][] {{"Ports"}, {"Ports"}},
                new int[] {1, 1}, new Info[] {MPI.INFO_NULL, MPI.INFO_NULL}, 0, null);
        hear(two, rank, 2);
    }

    private static void hear(Intercomm children, int rank, int count) throws MPIException {
        for (int i = 0; i < count && rank == 0; i++) {
            int[] came = new int[1];
            children.recv(came, 1, MPI.INT, i, 1);
            require(came[0] == 40 + i && children.getRemoteSize() == count, "spawn");
        }
        children.disconnect();
    }

    private static void mistakes() {
        Requests.refused(() -> MPI.COMM_SELF.spawn(null, null, 1, MPI.INFO_NULL, 0, null));
        Requests.refused(() -> MPI.COMM_SELF.spawn("x", null, 1, null, 0, null));
        Requests.refused(() -> MPI.COMM_SELF.accept(null, 0));
        Requests.refused(() -> MPI.COMM_SELF.connect(null, 0));
        Requests.refused(() -> Intracomm.closePort(null));
        Requests.refused(() -> Intracomm.publishName(null, null));
        Requests.refused(() -> Intracomm.lookupName(null));
    }
}
