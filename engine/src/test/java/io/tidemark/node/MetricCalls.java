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

  /** The last oldest deficit. */
  Duration oldestDeficit = Duration.ZERO;

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
    if (method.getName().equals("oldestDeficit") && arguments != null) {
      oldestDeficit = (Duration) arguments[0];
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

  /** The last call that begins with {@code prefix}; it must exist. */
  String last(String prefix) {
    List<String> found = starting(prefix);
    if (found.isEmpty()) {
      throw new AssertionError("no call " + prefix + " among " + calls);
    }
    return found.get(found.size() - 1);
  }

  /** Calls with {@code argument} among their arguments. */
  List<String> naming(String argument) {
    return calls.stream().filter(call -> List.of(call.split(" ")).contains(argument)).toList();
  }
}
