package io.tidemark.nodeid.local;

public record PodId(String namespace, String name) {

  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
