package io.tidemark.manifests;

import java.util.List;

/**
 * What the operator writes of an object (node-manager 1.2, 1.3): of the spec the pool and {@code
 * pre-allocate}; of the status everything but what agents tell of addresses in use (NM-S1).
 */
enum OwnedPaths {
  SPEC("spec") {
    @Override
    boolean own(List<String> path) {
      return path.size() >= 3
          && path.get(1).equals("ipam")
          && (path.get(2).equals("pool") || path.get(2).equals("pre-allocate"));
    }
  },
  STATUS("status") {
    @Override
    boolean own(List<String> path) {
      if (path.size() < 2 || !path.get(1).equals("ipam")) {
        return path.size() >= 2;
      }
      return path.size() >= 3 && !path.get(2).equals("used") && !path.get(2).equals("ipv6-used");
    }
  };

  private final String root;

  OwnedPaths(String root) {
    this.root = root;
  }

  /** The key of the object's half. */
  String root() {
    return root;
  }

  /** Whether everything at {@code path} is written by the operator. */
  abstract boolean own(List<String> path);

  /** Whether owned places lie inside {@code path}, which is not owned itself. */
  boolean leadTo(List<String> path) {
    return path.size() == 1 || (path.size() == 2 && path.get(1).equals("ipam"));
  }
}
