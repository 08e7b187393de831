import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import mpi.Datatype;
import mpi.DoubleComplex;
import mpi.DoubleInt;
import mpi.FloatComplex;
import mpi.FloatInt;
import mpi.Int2;
import mpi.Intracomm;
import mpi.LongInt;
import mpi.MPI;
import mpi.MPIException;
import mpi.ShortInt;
import mpi.Struct;

/** Structs of the program, pairs of a value and an index, and complex numbers. */
class Structs extends Checked {

    private static final Intracomm WORLD = MPI.COMM_WORLD;

    private static int rank;
    private static int size;

    /** A place with two coordinates. */
    static final class Place extends Struct {
        private final int x = addDouble();
        private final int y = addDouble();

        @Override
        protected Data newData() {
            return new Data();
        }

        final class Data extends Struct.Data {
            double x() {
                return getDouble(x);
            }

            void move(double toX, double toY) {
                putDouble(x, toX);
                putDouble(y, toY);
            }
        }
    }

    /** One field of each kind, some of several values. */
    static final class All extends Struct {
        private final Place place = new Place();
        private final int bytes = addByte(2);
        private final int sign = addChar();
        private final int few = addShort();
        private final int number = addInt();
        private final int many = addLong();
        private final int part = addFloat();
        private final int ints;
        private final int places;
        private final int row;

        All(Datatype rows) throws MPIException {
            ints = setOffset(24).addInt(2);
            places = addStruct(place, 2);
            row = addData(rows);
        }

        @Override
        protected Data newData() {
            return new Data();
        }

        final class Data extends Struct.Data {
            void fill(int from) throws MPIException {
                putByte(bytes, (byte) from);
                putByte(bytes, 1, (byte) (from + 1));
                putChar(sign, (char) (from + 2));
                putShort(few, (short) (from + 3));
                putInt(number, from + 4);
                putLong(many, from + 5);
                putFloat(part, from + 6);
                putInt(ints, 1, from + 7);
                Place.Data second = getData(place, places, 1);
                second.move(from + 8, from + 9);
                getBuffer(MPI.INT, row).putInt(4, from + 10);
            }

            boolean isFilled(int from) throws MPIException {
                Place.Data first = getData(place, places);
                Place.Data second = getData(place, places, 1);
                return getByte(bytes) == from && getByte(bytes, 1) == from + 1 && getChar(sign) == from + 2
                        && getShort(few) == from + 3 && getInt(number) == from + 4 && getLong(many) == from + 5
                        && getFloat(part) == from + 6 && getInt(ints, 1) == from + 7 && first.x() == 0
                        && second.x() == from + 8 && getBuffer(MPI.INT, row, 1).getInt(0) == from + 10;
            }
        }
    }

    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        rank = WORLD.getRank();
        size = WORLD.getSize();
        structs();
        pairs();
        complex();
        mistakes();
        if (rank == 0) {
            System.out.println("structs: " + size);
        }
        MPI.Finalize();
    }

    private static void structs() throws MPIException {
        Datatype rows = Datatype.createContiguous(3, MPI.INT);
        All all = new All(rows);
        require(all.getExtent() == 24 + 8 + 32 + 16 && all.getType().getExtent() == all.getExtent(), "getExtent");
        int next = (rank + 1) % size;
        int previous = (rank + size - 1) % size;
        ByteBuffer two = MPI.newByteBuffer(2 * all.getExtent());
        All.Data first = all.getData(two);
        All.Data second = all.getData(two, 1);
        first.fill(rank);
        second.fill(10 + rank);
        byte[] came = new byte[2 * all.getExtent()];
        WORLD.sendRecv(two, 2, all.getType(), next, 1, came, 2, all.getType(), previous, 1);
        All.Data there = all.getData(came);
        All.Data other = all.getData(came, 1);
        require(there.isFilled(previous) && other.isFilled(10 + previous), "structs in messages");
        WORLD.bcast(second.getBuffer(), 1, all.getType(), 0);
        all.getType().free();
        all.place.getType().free();
        rows.free();
        require(second.isFilled(10) && first.isFilled(rank) && first.getBuffer() == two, "getBuffer");
    }

    private static void pairs() throws MPIException {
        ByteBuffer bytes = MPI.newByteBuffer(16);
        DoubleInt.Data real = MPI.doubleInt.getData(bytes);
        real.putValue(-rank);
        real.putIndex(rank);
        WORLD.allReduce(bytes, 1, MPI.DOUBLE_INT, MPI.MINLOC);
        require(real.getValue() == 1 - size && real.getIndex() == size - 1, "DOUBLE_INT");
        FloatInt.Data single = MPI.floatInt.getData(bytes);
        single.putValue(rank);
        single.putIndex(7 * rank);
        WORLD.allReduce(bytes, 1, MPI.FLOAT_INT, MPI.MAXLOC);
        require(single.getValue() == size - 1 && single.getIndex() == 7 * (size - 1), "FLOAT_INT");
        Int2.Data whole = MPI.int2.getData(bytes);
        whole.putValue(5);
        whole.putIndex(rank + 1);
        WORLD.allReduce(bytes, 1, MPI.INT2, MPI.MAXLOC);
        require(whole.getValue() == 5 && whole.getIndex() == 1, "INT2");
        LongInt.Data large = MPI.longInt.getData(bytes);
        large.putValue(1L << 40 | rank);
        large.putIndex(rank);
        WORLD.allReduce(bytes, 1, MPI.LONG_INT, MPI.MAXLOC);
        require(large.getValue() == (1L << 40 | size - 1) && large.getIndex() == size - 1, "LONG_INT");
        byte[] array = new byte[MPI.shortInt.getExtent()];
        ShortInt.Data little = MPI.shortInt.getData(array);
        little.putValue((short) -rank);
        little.putIndex(3);
        WORLD.allReduce(array, 1, MPI.SHORT_INT, MPI.MINLOC);
        MPI.shortInt.getType().free();
        require(little.getValue() == 1 - size && little.getIndex() == 3, "SHORT_INT");
    }

    private static void complex() throws MPIException {
        double[] two = new double[4];
        DoubleComplex second = DoubleComplex.get(two, 1);
        DoubleComplex.get(two).putReal(1);
        second.putReal(rank);
        second.putImag(1);
        WORLD.allReduce(two, 2, MPI.DOUBLE_COMPLEX, MPI.SUM);
        require(second.getReal() == size * (size - 1) / 2 && second.getImag() == size && two[0] == size, "complex");
        DoubleBuffer direct = MPI.newDoubleBuffer(4);
        DoubleComplex.get(direct, 1).putImag(rank == 0 ? 9 : 0);
        WORLD.bcast(DoubleComplex.get(direct, 1).getBuffer(), 1, MPI.DOUBLE_COMPLEX, 0);
        require(direct.get(3) == 9 && DoubleComplex.get(direct).getBuffer() == direct, "getBuffer");
        ByteBuffer bytes = MPI.newByteBuffer(32);
        DoubleComplex.get(bytes).putReal(2);
        DoubleComplex.get(bytes, 1).putImag(4);
        require(bytes.getDouble(0) == 2 && bytes.getDouble(24) == 4, "complex numbers in bytes");
        float[] floats = new float[4];
        FloatComplex.get(floats).putReal(3);
        FloatComplex.get(floats, 1).putImag(5);
        FloatComplex.get(bytes).putReal(1);
        FloatComplex.get(bytes, 1).putImag(6);
        require(floats[0] == 3 && floats[3] == 5 && bytes.getFloat(12) == 6, "FloatComplex");
        java.nio.FloatBuffer wrapped = java.nio.FloatBuffer.wrap(floats);
        require(FloatComplex.get(wrapped).getReal() == 3 && FloatComplex.get(wrapped, 1).getImag() == 5, "parts");
        WORLD.allReduce(FloatComplex.get(wrapped, 1).getBuffer(), 1, MPI.FLOAT_COMPLEX, MPI.SUM);
        require(floats[0] == 3 && FloatComplex.get(wrapped, 1).getImag() == 5 * size, "FLOAT_COMPLEX");
    }

    private static void mistakes() throws MPIException {
        Place place = new Place();
        Requests.refused(() -> place.addInt(-1));
        place.getType();
        Place.Data little = place.getData(new byte[8]);
        Requests.refused(() -> little.move(1, 2));
        Requests.refused(() -> WORLD.send(new byte[15], 1, place.getType(), 0, 0));
        try {
            place.addInt();
            throw new AssertionError("a field of a struct in use");
        } catch (IllegalStateException e) {
            require(e.getMessage().contains("in use"), "a reason");
        }
        place.getType().free();
        Requests.refused(() -> DoubleComplex.get(new double[1]).getImag());
    }
}
