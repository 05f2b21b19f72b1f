package io.tidemark.nodecidr.controller;

import io.tidemark.nodecidr.ledger.NodeOwner;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/** The consequences of decisions about one node for others, until they are taken. Thread-safe. */
final class Consequences {
  private Set<String> names = new LinkedHashSet<>();
  private boolean freed;

  /** There may be other steps for these nodes than before. */
  synchronized void review(Collection<NodeOwner> owners) {
    owners.forEach(owner -> names.add(owner.name()));
  }

  synchronized void freed() {
    freed = true;
  }

  /** The names of nodes to decide about anew, each told once. */
  synchronized Set<String> takeNames() {
    Set<String> taken = names;
    names = new LinkedHashSet<>();
    return taken;
  }

  /** Whether blocks may be free, told once. */
  synchronized boolean takeFreed() {
    boolean taken = freed;
    freed = false;
    return taken;
  }
}
