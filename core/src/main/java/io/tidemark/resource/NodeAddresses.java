package io.tidemark.resource;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The addresses of the node itself, which no pod may get (allocators 9).
 *
 * @param owners who has each: {@link #NODE}, {@code router}, {@code health} or {@code ingress};
 *     unmodifiable
 */
public record NodeAddresses(SortedMap<IpAddress, String> owners) {
  /** The owner of an address of the machine. */
  public static final String NODE = "node-ip";

  public NodeAddresses {
    owners = Collections.unmodifiableSortedMap(new TreeMap<>(owners));
  }

  /**
   * Those that an object names, and the primary address of the machine's first interface. Azure's
   * section names the first interface only where it is alone.
   *
   * @param named in {@code spec}
   */
  static NodeAddresses of(
      SortedMap<IpAddress, String> named, Optional<EniStatus> eni, Optional<AzureStatus> azure) {
    SortedMap<IpAddress, String> all = new TreeMap<>(named);
    eni.ifPresent(
        status ->
            status.enis().values().stream()
                .filter(each -> each.number() == 0)
                .forEach(each -> add(all, each.ip())));
    azure
        .filter(status -> status.interfaces().size() == 1)
        .ifPresent(status -> status.interfaces().values().forEach(each -> add(all, each.ip())));
    return new NodeAddresses(all);
  }

  private static void add(SortedMap<IpAddress, String> all, Optional<IpAddress> primary) {
    primary.ifPresent(ip -> all.put(ip.unmapped(), NODE));
  }

  /** Those of the machine: an operator must not give them to an agent, or take them away. */
  public AddressSet ofMachine() {
    AddressSet.Builder machine = AddressSet.builder();
    owners.forEach(
        (ip, owner) -> {
          if (owner.equals(NODE)) {
            machine.add(ip);
          }
        });
    return machine.build();
  }
}
