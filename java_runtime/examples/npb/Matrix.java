package npb;

import java.util.Arrays;

/** The matrix of CG, of which a process has some rows: the weighted sum of products of sparse vectors with themselves. */
final class Matrix {

    private static final long SEED = 314_159_265;
    private static final double CONDITION = 0.1;

    private final int rows;
    private final int[] starts; // of the elements of each row
    private final int[] columns;
    private final double[] values;

    Matrix(int order, int nonzeros, double shift, int first, int rows) {
        this.rows = rows;
        int[][] places = new int[order][];
        double[][] vectors = new double[order][];
        makeVectors(order, nonzeros, places, vectors);
        int[] room = new int[rows + 1]; // where a row may begin if no two of its elements are in one column
        for (int[] vector : places) {
            for (int row : vector) {
                if (row >= first && row < first + rows) {
                    room[row - first + 1] += vector.length;
                }
            }
        }
        for (int i = 0; i < rows; i++) {
            room[i + 1] += room[i];
        }
        int[] roomColumns = new int[room[rows]];
        double[] roomValues = new double[room[rows]];
        int[] lengths = new int[rows];
        double ratio = Math.pow(CONDITION, 1.0 / order);
        double weight = 1;
        for (int i = 0; i < order; i++) {
            int[] vector = places[i];
            for (int a = 0; a < vector.length; a++) {
                int row = vector[a] - first;
                if (row < 0 || row >= rows) {
                    continue;
                }
                double scale = weight * vectors[i][a];
                for (int b = 0; b < vector.length; b++) {
                    double value = vectors[i][b] * scale;
                    if (vector[b] == vector[a] && vector[a] == i) {
                        value += CONDITION - shift;
                    }
                    lengths[row] += add(roomColumns, roomValues, room[row], lengths[row], vector[b], value);
                }
            }
            weight *= ratio;
        }
        starts = new int[rows + 1];
        for (int i = 0; i < rows; i++) {
            starts[i + 1] = starts[i] + lengths[i];
        }
        columns = new int[starts[rows]];
        values = new double[starts[rows]];
        for (int i = 0; i < rows; i++) {
            System.arraycopy(roomColumns, room[i], columns, starts[i], lengths[i]);
            System.arraycopy(roomValues, room[i], values, starts[i], lengths[i]);
        }
    }

    /** A row for each vector: random elements in random places, and 0.5 in its own. */
    private static void makeVectors(int order, int nonzeros, int[][] places, double[][] vectors) {
        int power = Integer.highestOneBit(2 * order - 1);
        Numbers numbers = new Numbers(SEED);
        numbers.next();
        for (int i = 0; i < order; i++) {
            int[] place = new int[nonzeros + 1];
            double[] vector = new double[nonzeros + 1];
            int length = 0;
            while (length < nonzeros) {
                double value = numbers.next();
                int at = (int) (power * numbers.next());
                if (at < order && indexOf(place, length, at) < 0) {
                    place[length] = at;
                    vector[length++] = value;
                }
            }
            int own = indexOf(place, length, i);
            if (own < 0) {
                own = length++;
            }
            place[own] = i;
            vector[own] = 0.5;
            places[i] = Arrays.copyOf(place, length);
            vectors[i] = Arrays.copyOf(vector, length);
        }
    }

    private static int indexOf(int[] places, int length, int place) {
        for (int i = 0; i < length; i++) {
            if (places[i] == place) {
                return i;
            }
        }
        return -1;
    }

    /** Adds to an element of a row, whose columns are in order; how many elements the row has more. */
    private static int add(int[] columns, double[] values, int start, int length, int column, double value) {
        int at = start + length;
        while (at > start && columns[at - 1] >= column) {
            at--;
        }
        if (at < start + length && columns[at] == column) {
            values[at] += value;
            return 0;
        }
        System.arraycopy(columns, at, columns, at + 1, start + length - at);
        System.arraycopy(values, at, values, at + 1, start + length - at);
        columns[at] = column;
        values[at] = value;
        return 1;
    }

    /** Its rows times a vector. */
    void multiply(double[] vector, double[] product) {
        double[] elements = values;
        int[] places = columns;
        for (int i = 0; i < rows; i++) {
            double sum = 0;
            int end = starts[i + 1];
            for (int k = starts[i]; k < end; k++) {
                sum += elements[k] * vector[places[k]];
            }
            product[i] = sum;
        }
    }
}
