package io.tidemark.provider.mock.cloud;

import io.tidemark.ip.IpAddress;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Everything in the cloud at one instant: the truth, without lag and without counting as a request.
 * All maps ascend by key.
 *
 * @param freeAddresses per subnet, as the subnet's books say
 * @param calls requests per operation that reached the cloud, throttled ones included
 * @param throttled requests per operation that found the bucket empty
 */
public record CloudSnapshot(
    SortedMap<String, Instance> instances,
    SortedMap<String, NetworkInterface> interfaces,
    SortedMap<String, Subnet> subnets,
    SortedMap<String, Integer> freeAddresses,
    SortedMap<CloudOperation, Long> calls,
    SortedMap<CloudOperation, Long> throttled) {
  public CloudSnapshot {
    instances = Collections.unmodifiableSortedMap(new TreeMap<>(instances));
    interfaces = Collections.unmodifiableSortedMap(new TreeMap<>(interfaces));
    subnets = Collections.unmodifiableSortedMap(new TreeMap<>(subnets));
    freeAddresses = Collections.unmodifiableSortedMap(new TreeMap<>(freeAddresses));
    calls = Collections.unmodifiableSortedMap(new TreeMap<>(calls));
    throttled = Collections.unmodifiableSortedMap(new TreeMap<>(throttled));
  }

  /**
   * The interface that holds each address of one subnet, blocks spelled out; addresses are unique
   * only inside a VPC.
   */
  public Map<IpAddress, String> owners(String subnetId) {
    Map<IpAddress, String> owners = new HashMap<>();
    for (NetworkInterface each : interfaces.values()) {
      if (each.subnetId().equals(subnetId)) {
        owners.put(each.primary(), each.id());
        each.singles().forEach(address -> owners.put(address, each.id()));
        each.prefixes()
            .forEach(
                block -> {
                  for (int i = 0; i < 16; i++) {
                    owners.put(block.address(i), each.id());
                  }
                });
      }
    }
    return owners;
  }
}
