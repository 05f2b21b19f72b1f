package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.config.Option;
import io.tidemark.operator.Program.Result;
import io.tidemark.provider.mock.MockProviderFactory;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.ProviderContext;
import io.tidemark.spi.ProviderFactory;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.testing.Hang;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("--timeout of the commands that change nothing")
class ReadOnlyTimeoutTest {
  @TempDir private Path directory;

  private final Stuck provider = new Stuck();

  @AfterEach
  void goOn() {
    provider.end.countDown();
  }

  /**
   * The provider mock, whose nodes, after the cloud was read, find no plan before the test ends.
   */
  private static final class Stuck implements ProviderFactory {
    private final ProviderFactory mock = new MockProviderFactory();
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile boolean read;

    @Override
    public String name() {
      return "mock";
    }

    @Override
    public List<Option<?>> settings() {
      return mock.settings();
    }

    @Override
    public AllocationImplementation create(ProviderContext context) {
      AllocationImplementation real = mock.create(context);
      return wrapped(
          AllocationImplementation.class,
          (method, arguments) ->
              switch (method.getName()) {
                case "createNode" -> stuck((NodeOperations) called(method, real, arguments));
                case "resync" ->
                    ((CompletionStage<?>) called(method, real, arguments))
                        .thenApply(
                            outcome -> {
                              read = true;
                              return (SyncOutcome) outcome;
                            });
                default -> called(method, real, arguments);
              });
    }

    private NodeOperations stuck(NodeOperations real) {
      return wrapped(
          NodeOperations.class,
          (method, arguments) -> {
            if (read && method.getName().equals("prepareIpAllocation")) {
              awaitEnd();
            }
            return called(method, real, arguments);
          });
    }

    private void awaitEnd() {
      try {
        end.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // the program ends
      }
    }

    /** The step between. */
    private interface Between {
      Object call(Method method, Object[] arguments) throws Throwable;
    }

    private static <T> T wrapped(Class<T> type, Between between) {
      return type.cast(
          Proxy.newProxyInstance(
              type.getClassLoader(),
              new Class<?>[] {type},
              (proxy, method, arguments) -> between.call(method, arguments)));
    }

    private static Object called(Method method, Object target, Object[] arguments)
        throws Throwable {
      try {
        return method.invoke(target, arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"status", "status --output=json", "explain worker-a", "run --dry-run"})
  @DisplayName("ends them with 4 also when it runs out after the cloud was read")
  void runsOut(String words) {
    Manifests manifests = new Manifests(directory).with("a.yaml", Manifests.fresh("worker-a"));
    Result result = run(words, manifests, 1);
    for (int seconds = 2; !provider.read && seconds <= Hang.SECONDS; seconds *= 2) {
      result = run(words, manifests, seconds); // a slow machine
    }

    assertThat(provider.read).as("the cloud was read").isTrue();
    assertThat(result.exitCode()).as(result.err()).isEqualTo(4);
    assertThat(result.err().lines())
        .singleElement()
        .asString()
        .startsWith("tidemark: nodes and cloud were not read within ");
    assertThat(result.out()).isEmpty();
  }

  private Result run(String words, Manifests manifests, int seconds) {
    return Program.run(
        provider,
        Program.arguments(
            words, manifests.option(), "--provider=mock", "--timeout=" + seconds + "s"));
  }
}
