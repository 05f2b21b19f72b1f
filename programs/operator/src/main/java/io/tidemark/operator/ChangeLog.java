package io.tidemark.operator;

import io.tidemark.operator.report.NodeRow;
import io.tidemark.operator.view.SystemView;
import io.tidemark.resilience.CallCounts;
import io.tidemark.spi.BlockedReason;
import java.util.ArrayList;
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
 * A log line for each node whose state differs from that of its last line, for where there is no
 * terminal. A node that only waits for the cloud's API has none: that concerns all nodes, and is
 * logged once (node-manager 5.2). Work and memory are those of the nodes that changed; to be
 * written by one thread.
 */
final class ChangeLog {
  private static final Logger LOG = LoggerFactory.getLogger(ChangeLog.class);

  private final SystemView view;
  private final Set<String> changed = ConcurrentHashMap.newKeySet();
  private final Map<String, List<Object>> written = new HashMap<>();
  private @Nullable CallCounts calls;

  /** Listens to the system from now on. */
  ChangeLog(SystemView view) {
    this.view = view;
    view.system().onChange(changed::add);
  }

  void write() {
    for (String name : new TreeSet<>(changed)) {
      changed.remove(name); // before the look: what changes after it is told again
      Optional<NodeRow> node = view.node(name);
      if (node.isPresent()) {
        write(node.get());
      } else if (written.remove(name) != null) {
        LOG.info("Node gone. node={}", name);
      }
    }
    CallCounts now = view.counts();
    if (!now.equals(calls)) {
      calls = now;
      LOG.debug("Calls. sent={} throttled={}", now.calls(), now.throttled());
    }
  }

  private void write(NodeRow node) {
    if (node.reason().equals(BlockedReason.INSTANCES_API_UNSTABLE.label())) {
      return;
    }
    StringBuilder text = new StringBuilder("Node. node={} state={}");
    List<Object> values = new ArrayList<>(List.of(node.name(), node.state()));
    for (NodeRow.Column column : node.columns()) {
      text.append(' ').append(column.key()).append("={}");
      values.add(column.text());
    }
    values.add(node.reason());
    if (!values.equals(written.put(node.name(), values))) {
      LOG.info(text.append(" reason={}").toString(), values.toArray());
    }
  }
}
