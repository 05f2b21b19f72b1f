package io.tidemark.it.benchmark;

import io.tidemark.spi.AllocationImplementation;
import io.tidemark.time.SystemTime;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Notes when a full read of the account ended, so that the pass over the nodes is timed alone. */
final class StampedProvider {
  private final AllocationImplementation provider;
  private volatile long readNanos;

  StampedProvider(AllocationImplementation provider) {
    this.provider = provider;
  }

  long readNanos() {
    return readNanos;
  }

  /** The provider whose reads are noted. */
  AllocationImplementation noted() {
    return (AllocationImplementation)
        Proxy.newProxyInstance(
            AllocationImplementation.class.getClassLoader(),
            new Class<?>[] {AllocationImplementation.class},
            (proxy, method, arguments) -> called(method, arguments));
  }

  private @Nullable Object called(Method method, Object @Nullable [] arguments) throws Throwable {
    try {
      Object result = method.invoke(provider, arguments);
      return method.getName().equals("resync") && result instanceof CompletionStage<?> read
          ? read.whenComplete((outcome, thrown) -> readNanos = SystemTime.instance().nanos())
          : result;
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  void close() {
    provider.close();
  }
}
