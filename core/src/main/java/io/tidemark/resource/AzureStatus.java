package io.tidemark.resource;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The wire form of {@code status.azure} (provider-azure 4.7, Z42): the network interfaces of the
 * machine. The operator writes it as a whole; unknown fields of an interface survive a
 * read-modify-write while the interface is attached. It is here because the provider writes it and
 * agents read it, and neither sees the other.
 *
 * @param interfaces by resource id as it is spelled, ids ascending; unmodifiable
 */
public record AzureStatus(SortedMap<String, Interface> interfaces) {
  /** The state of an address that can be used. */
  public static final String SUCCEEDED = "succeeded";

  /** No interface. */
  public static final AzureStatus EMPTY = new AzureStatus(Collections.emptySortedMap());

  public AzureStatus {
    interfaces = Collections.unmodifiableSortedMap(new TreeMap<>(interfaces));
  }

  /** The usable addresses of each interface by its id. */
  public Map<String, AddressSet> addressesByInterface() {
    Map<String, AddressSet> shown = new TreeMap<>();
    interfaces.forEach(
        (id, each) -> {
          AddressSet.Builder usable = AddressSet.builder();
          each.addresses().stream().filter(Address::usable).forEach(a -> usable.add(a.ip()));
          shown.put(id, usable.build());
        });
    return shown;
  }

  /**
   * One network interface.
   *
   * @param name unique in its machine only
   * @param mac with colons; empty while Azure has not given one
   * @param state provisioning state in lower case; empty when not known
   * @param ip primary address; empty when not known
   * @param addresses addresses for pods one by one, those of blocks included
   * @param securityGroup resource id; empty when there is none
   * @param gateway of the subnet; empty when not known
   * @param cidr of the subnet; empty when not known
   * @param subnetId resource id of the subnet; empty when not known
   */
  public record Interface(
      String id,
      String name,
      String mac,
      String state,
      Optional<IpAddress> ip,
      List<Address> addresses,
      String securityGroup,
      Optional<IpAddress> gateway,
      Optional<Cidr> cidr,
      String subnetId) {
    public Interface {
      addresses = List.copyOf(addresses);
    }
  }

  /**
   * One address.
   *
   * @param subnet resource id of its subnet; empty when not known
   * @param state provisioning state; only {@link #SUCCEEDED} can be used
   */
  public record Address(IpAddress ip, String subnet, String state) {
    /** Whether pods may get it. */
    public boolean usable() {
      return state.equalsIgnoreCase(SUCCEEDED);
    }
  }
}
