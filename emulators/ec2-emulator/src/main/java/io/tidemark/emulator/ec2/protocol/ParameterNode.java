package io.tidemark.emulator.ec2.protocol;

import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One place in the tree of a request's parameters while it is being read. */
final class ParameterNode {
  private final SortedMap<String, ParameterNode> members = new TreeMap<>();
  private final SortedMap<Integer, ParameterNode> elements = new TreeMap<>();
  private @Nullable String value;

  ParameterNode member(String name) {
    return members.computeIfAbsent(name, n -> new ParameterNode());
  }

  ParameterNode element(int index) {
    return elements.computeIfAbsent(index, i -> new ParameterNode());
  }

  void set(String text) {
    value = text;
  }

  @Nullable ParameterNode find(String name) {
    return members.get(name);
  }

  @Nullable String value() {
    return value;
  }

  /** By ascending index, which may start anywhere and have gaps. */
  SortedMap<Integer, ParameterNode> elements() {
    return elements;
  }

  /** A node with all members but this one. */
  ParameterNode without(String name) {
    ParameterNode rest = new ParameterNode();
    rest.members.putAll(members);
    rest.members.remove(name);
    return rest;
  }

  /** Everything below, in one order whatever the order of the request. */
  @Override
  public String toString() {
    return value != null ? '"' + value + '"' : members.toString() + elements.values();
  }
}
