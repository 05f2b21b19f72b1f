package io.tidemark.simulation.cloud;

import io.tidemark.provider.mock.cloud.NetworkInterface;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The interfaces of instances as invariants see them. While the cloud returns the same object, the
 * same view is returned, because invariants look after every step.
 */
final class InterfaceCache {
  private final Map<String, Attached> attached = new HashMap<>();

  /** The interfaces of an instance as the cloud gave them, and as they were shown. */
  private record Attached(List<NetworkInterface> given, List<CloudInterface> shown) {
    static final Attached NONE = new Attached(List.of(), List.of());

    /** The former view of this very interface, else a new one. */
    @SuppressWarnings("ReferenceEquality")
    CloudInterface shown(NetworkInterface each) {
      for (int i = 0; i < given.size(); i++) {
        if (given.get(i) == each) {
          return shown.get(i);
        }
      }
      return seen(each);
    }
  }

  /** The cloud's interfaces now, as views. */
  List<CloudInterface> of(String instanceId, List<NetworkInterface> given) {
    Attached before = attached.getOrDefault(instanceId, Attached.NONE);
    if (isSame(given, before.given())) {
      return before.shown();
    }
    List<CloudInterface> shown = new ArrayList<>(given.size());
    for (NetworkInterface each : given) {
      shown.add(before.shown(each));
    }
    List<CloudInterface> unmodifiable = List.copyOf(shown);
    attached.put(instanceId, new Attached(given, unmodifiable));
    return unmodifiable;
  }

  @SuppressWarnings("ReferenceEquality")
  private static boolean isSame(List<NetworkInterface> given, List<NetworkInterface> before) {
    return given == before;
  }

  /** An interface as it is. */
  static CloudInterface seen(NetworkInterface each) {
    return new CloudInterface(
        each.id(),
        each.subnetId(),
        each.attachment().isPresent() ? each.attachment().get().instanceId() : "",
        each.attachment().isPresent() ? each.attachment().get().deviceIndex() : -1,
        each.attachment().isPresent() && each.attachment().get().deleteOnTermination(),
        each.primary(),
        each.singles(),
        each.prefixes(),
        each.tags());
  }
}
