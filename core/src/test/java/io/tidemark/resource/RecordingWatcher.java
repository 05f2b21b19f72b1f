package io.tidemark.resource;

import java.util.ArrayList;
import java.util.List;

/** Writes down what a watch delivers, as {@code name@version}, {@code -name} and {@code synced}. */
final class RecordingWatcher implements NodeResourceStore.Watcher {
  private final List<String> events = new ArrayList<>();

  @Override
  public void upserted(NodeResource resource) {
    events.add(resource.name() + '@' + resource.resourceVersion());
  }

  @Override
  public void deleted(String name) {
    events.add('-' + name);
  }

  @Override
  public void refused(String name, List<ResourceProblem> problems) {
    events.add('!' + name + problems);
  }

  @Override
  public void synced() {
    events.add("synced");
  }

  /** The calls since the last call. */
  List<String> take() {
    List<String> taken = List.copyOf(events);
    events.clear();
    return taken;
  }
}
