package io.tidemark.node;

import io.tidemark.metrics.IpamMetrics;
import io.tidemark.metrics.TriggerMetrics;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Records every call of the metrics port as {@code name argument argument}; durations left out. */
final class MetricCalls {
  final List<String> calls = new ArrayList<>();

  private static final TriggerMetrics QUIET =
      new TriggerMetrics() {
        @Override
        public void queued() {}

        @Override
        public void ran(Duration duration, Duration latency, int folds) {}
      };

  IpamMetrics port() {
    return (IpamMetrics)
        Proxy.newProxyInstance(
            IpamMetrics.class.getClassLoader(),
            new Class<?>[] {IpamMetrics.class},
            (proxy, method, arguments) -> record(method, arguments));
  }

  private @Nullable Object record(Method method, Object @Nullable [] arguments) {
    if (method.getReturnType() == TriggerMetrics.class) {
      return QUIET;
    }
    StringBuilder call = new StringBuilder(method.getName());
    for (Object argument : arguments == null ? new Object[0] : arguments) {
      if (!(argument instanceof Duration)) {
        call.append(' ').append(argument);
      }
    }
    calls.add(call.toString());
    return null;
  }

  /** Calls that begin with {@code prefix}. */
  List<String> starting(String prefix) {
    return calls.stream().filter(call -> call.startsWith(prefix)).toList();
  }
}
