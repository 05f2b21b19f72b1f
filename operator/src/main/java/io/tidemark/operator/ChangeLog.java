package io.tidemark.operator;

import io.tidemark.engine.Tidemark;
import io.tidemark.node.NodeReport;
import io.tidemark.resilience.CallCounts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A log line for each node that stands otherwise than when it was written last, for where there is
 * no terminal. Work and memory are those of the nodes that changed; to be written by one thread.
 */
final class ChangeLog {
  private static final Logger LOG = LoggerFactory.getLogger(ChangeLog.class);

  private final Tidemark engine;
  private final Set<String> changed = ConcurrentHashMap.newKeySet();
  private final Map<String, List<Object>> written = new HashMap<>();
  private @Nullable CallCounts calls;

  /** Listens to the engine from now on. */
  ChangeLog(Tidemark engine) {
    this.engine = engine;
    engine.onChange(changed::add);
  }

  /** Writes what changed since the last time. */
  void write() {
    for (String name : new TreeSet<>(changed)) {
      changed.remove(name); // before the look: what changes after it is told again
      Optional<NodeReport> report = engine.report(name);
      if (report.isPresent()) {
        write(report.get());
      } else if (written.remove(name) != null) {
        LOG.info("Node gone. node={}", name);
      }
    }
    CallCounts now = engine.counts();
    if (!now.equals(calls)) {
      calls = now;
      LOG.debug("Calls. sent={} throttled={}", now.calls(), now.throttled());
    }
  }

  private void write(NodeReport node) {
    List<Object> values =
        List.of(
            node.name(),
            node.state().text(),
            node.used(),
            node.available(),
            node.needed(),
            node.excess(),
            node.interfaces(),
            node.blocked().map(why -> why.reason().label()).orElse("-"));
    if (!values.equals(written.put(node.name(), values))) {
      LOG.info(
          "Node. node={} state={} used={} available={} needed={} excess={} interfaces={} reason={}",
          values.toArray());
    }
  }
}
