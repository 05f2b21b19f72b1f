package io.tidemark.kubernetes.store;

import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Whether the API server takes the status of CiliumNodes. Without the subresource, a write of the
 * status is answered as if the object were gone: when a read after that shows the same object, the
 * subresource is missing. Thread-safe.
 */
final class StatusSubresource {
  private static final String MISSING =
      String.valueOf(
          new IpamException(
                  CoreError.DEFINITION_UNSUITABLE,
                  "the API server keeps no status of CiliumNodes: their CustomResourceDefinition has no"
                      + " subresource status")
              .getMessage());

  /** The uid of each object whose status was not found, until the object is read. */
  private final Map<String, String> doubted = new ConcurrentHashMap<>();

  private volatile boolean missing;

  void notFound(String name, String uid) {
    doubted.put(name, uid);
  }

  void read(String name, String uid) {
    String before = doubted.remove(name);
    if (before != null && !uid.isEmpty() && before.equals(uid)) {
      missing = true;
    }
  }

  /** A write of a status was dealt with. */
  void works() {
    missing = false;
  }

  /** Why no status can be written, for people; empty when nothing is known against it. */
  Optional<String> trouble() {
    return missing ? Optional.of(MISSING) : Optional.empty();
  }
}
