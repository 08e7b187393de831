package host;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleException;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.launch.FrameworkFactory;

/** An OSGi container: starts bundles, and runs a program of the last one: {@code Host CACHE BUNDLE,... CLASS}. */
public final class Host {

    private Host() {
    }

    public static void main(String[] args) throws Exception {
        FrameworkFactory factory = ServiceLoader.load(FrameworkFactory.class).findFirst().orElseThrow();
        String cache = args[0] + "/" + ProcessHandle.current().pid();
        Framework container = factory.newFramework(Map.of("org.osgi.framework.storage", cache));
        container.start();
        try {
            Bundle last = start(container, args[1].split(","));
            Class<?> program = last.loadClass(args[2]);
            String bundle = FrameworkUtil.getBundle(program).getSymbolicName();
            System.out.println(program.getName() + " is of the bundle " + bundle);
            program.getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        } finally {
            container.stop();
            container.waitForStop(10_000);
        }
    }

    private static Bundle start(Framework container, String... files) throws BundleException {
        List<Bundle> bundles = new ArrayList<>();
        for (String file : files) {
            bundles.add(container.getBundleContext().installBundle(Path.of(file).toUri().toString()));
        }
        for (Bundle bundle : bundles) {
            bundle.start();
        }
        return bundles.get(bundles.size() - 1);
    }
}
