package io.tidemark.nodeid.local;

/** A pod by its namespace and name. */
public record PodId(String namespace, String name) {

  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
