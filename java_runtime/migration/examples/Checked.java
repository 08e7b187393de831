/** What the programs of this folder share. */
abstract class Checked {

    static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException(what);
        }
    }
}
