package io.tidemark.provider.mock.cloud;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/** Which interfaces a description shall list. A filter that matches nothing is no error. */
public sealed interface InterfaceQuery {
  /** All of the account. */
  record All() implements InterfaceQuery {}

  /** Those attached to one of these instances. */
  record OfInstances(SortedSet<String> instanceIds) implements InterfaceQuery {
    public OfInstances {
      instanceIds = Collections.unmodifiableSortedSet(new TreeSet<>(instanceIds));
    }
  }

  /** Those with one of these ids. */
  record Ids(SortedSet<String> interfaceIds) implements InterfaceQuery {
    public Ids {
      interfaceIds = Collections.unmodifiableSortedSet(new TreeSet<>(interfaceIds));
    }
  }

  /** Those that carry this tag. */
  record Tagged(String key, String value) implements InterfaceQuery {}
}
