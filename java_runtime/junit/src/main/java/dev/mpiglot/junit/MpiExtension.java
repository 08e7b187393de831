package dev.mpiglot.junit;

import dev.mpiglot.mpi.Comm;
import dev.mpiglot.mpi.Mpi;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

/** Runs the methods that have {@link MpiTest}. */
final class MpiExtension implements TestTemplateInvocationContextProvider {

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return context.getRequiredTestMethod().isAnnotationPresent(MpiTest.class);
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        MpiTest test = context.getRequiredTestMethod().getAnnotation(MpiTest.class);
        return Arrays.stream(test.ranks()).mapToObj(ranks -> new OnRanks(ranks, test.timeout()));
    }

    /** One run, on one number of ranks. */
    private record OnRanks(int ranks, int seconds) implements TestTemplateInvocationContext {

        @Override
        public String getDisplayName(int index) {
            return ranks == 1 ? "1 rank" : ranks + " ranks";
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of(new InProcesses(ranks, seconds));
        }
    }

    /** Leaves a method out here and runs it in the processes of a job. */
    private record InProcesses(int ranks, int seconds) implements InvocationInterceptor, ParameterResolver {

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            Class<?> type = parameter.getParameter().getType();
            return type == Comm.class || type == Mpi.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return null; // it is only there in the processes of the job
        }

        @Override
        public void interceptBeforeEachMethod(
                Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context) {
            invocation.skip();
        }

        @Override
        public void interceptAfterEachMethod(
                Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context) {
            invocation.skip();
        }

        @Override
        public void interceptTestTemplateMethod(Invocation<Void> invocation, ReflectiveInvocationContext<Method> method,
                ExtensionContext context) throws Throwable {
            invocation.skip();
            new Job(context.getRequiredTestClass(), method.getExecutable(), ranks, seconds).run();
        }
    }
}
