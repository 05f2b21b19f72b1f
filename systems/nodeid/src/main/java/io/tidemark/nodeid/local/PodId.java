package io.tidemark.nodeid.local;

import java.util.Objects;

/** A pod by its namespace and name. */
public record PodId(String namespace, String name) {
  public PodId {
    Objects.requireNonNull(namespace, "namespace");
    Objects.requireNonNull(name, "name");
  }

  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
