package mpi;

/** A version of the standard. */
public final class Version {

    private final int version;
    private final int subVersion;

    Version(int version, int subVersion) {
        this.version = version;
        this.subVersion = subVersion;
    }

    /** {@return the number before the point} */
    public int getVersion() {
        return version;
    }

    /** {@return the number after the point} */
    public int getSubVersion() {
        return subVersion;
    }
}
