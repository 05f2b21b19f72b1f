package io.tidemark.provider.azure.ipam;

import io.tidemark.emulator.arm.ArmEmulator;
import io.tidemark.emulator.arm.document.Document;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.azure.network.ArmApi;
import io.tidemark.provider.azure.network.ArmDoors;
import io.tidemark.provider.azure.network.ArmFailure;
import io.tidemark.provider.azure.network.ArmList;
import io.tidemark.provider.azure.network.ArmRead;
import io.tidemark.provider.azure.network.AzureNetworkInterface;
import io.tidemark.provider.azure.network.IpConfiguration;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.spi.contract.ContractCloud.TrueInterface;
import io.tidemark.time.TimeSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The resources of the contract's Azure as their owner makes and sees them: one virtual network,
 * and machines with one interface. Subnets are called by the test's names.
 */
final class ContractResources {
  static final String NIC_NAME = "eth0";

  private final ArmEmulator azure;
  private final Landscape land;
  private final ArmApi owner;
  private final Map<String, Cidr> subnets = new HashMap<>();
  private final Map<String, Integer> instances = new HashMap<>();

  ContractResources(ArmEmulator azure, TimeSource time) {
    this.azure = azure;
    this.land = new Landscape(azure);
    this.owner = ArmDoors.pipeline(azure.handler(), () -> "static-owner", time);
    azure.change(all -> all.addNetwork(Landscape.NETWORK, "westeurope"));
  }

  void addSubnet(String name, Cidr cidr) {
    subnets.put(name, cidr);
    land.addSubnet(name, cidr.toString());
  }

  /** Makes a prefix that can give this public address alone. */
  void addPublicAddress(IpAddress address, Map<String, String> tags) {
    String id = AzureWorld.NODES + "/Microsoft.Network/publicIPPrefixes/edge";
    Document tagged = Document.of("tags", Document.of(new TreeMap<>(tags)));
    azure.change(all -> all.addPublicPrefix(id, "westeurope", Cidr.single(address), tagged, 0));
  }

  /** Makes an instance of the subnet's Uniform set; returns its id. */
  String addInstance(String subnet) {
    int number = instances.merge(subnet, 1, Integer::sum) - 1;
    if (number == 0) {
      land.addSet("pool-" + subnet, subnet, NIC_NAME);
    }
    return land.addInstance("pool-" + subnet, number);
  }

  /** Makes a virtual machine; returns its id. */
  String addMachine(String node, String subnet) {
    return land.addMachine(node, subnet);
  }

  /** Others take all addresses of a subnet but so many; no block survives. */
  void leaveFree(String subnetId, int left) {
    AddressSet all = AddressSet.ofRange(Objects.requireNonNull(subnets.get(subnetId), subnetId));
    // Every other address first, so that no block survives.
    for (int parity = 0; parity < 2; parity++) {
      int next = parity;
      for (int excess = free(subnetId) - left; excess > 0; excess = free(subnetId) - left) {
        List<IpAddress> taken = new ArrayList<>();
        for (; next < all.size() && taken.size() < excess; next += 2) {
          taken.add(all.at(next));
        }
        if (taken.isEmpty()) {
          break;
        }
        azure.change(each -> each.takeAddresses(Landscape.subnet(subnetId), taken));
      }
    }
  }

  private int free(String subnetId) {
    Document found =
        azure.handler().use(model -> model.state().objects("subnets")).stream()
            .filter(each -> each.text("id").orElse("").equals(Landscape.subnet(subnetId)))
            .findFirst()
            .orElseThrow();
    return found.number("limit").orElseThrow() - found.number("used").orElseThrow();
  }

  /** The interfaces of a machine as they are; none of one that is gone. */
  List<TrueInterface> interfaces(ResourceId machine) {
    try {
      return held(machine).stream().map(ContractResources::shown).toList();
    } catch (ArmFailure gone) {
      return List.of();
    }
  }

  private List<AzureNetworkInterface> held(ResourceId machine) throws ArmFailure {
    return machine.isUniformInstance()
        ? owner.page(ArmList.interfacesOfInstance(machine), Optional.empty()).items()
        : List.of(
            owner.read(
                ArmRead.networkInterface(
                    ResourceId.of(Landscape.nic(machine.name() + "-" + NIC_NAME)))));
  }

  private static TrueInterface shown(AzureNetworkInterface each) {
    AddressSet.Builder singles = AddressSet.builder();
    List<Cidr> blocks = new ArrayList<>();
    Optional<IpAddress> primary = Optional.empty();
    for (IpConfiguration configuration : each.configurations()) {
      Cidr range = configuration.range().orElseThrow();
      boolean block = configuration.block() || configuration.name().startsWith("Tidemark-b-");
      if (configuration.primary()) {
        primary = Optional.of(range.first());
      } else if (block) {
        blocks.add(NicReader.blockOf(range.first()));
      } else {
        singles.add(range.first());
      }
    }
    return new TrueInterface(
        each.id().text(),
        each.subnet().map(ResourceId::name).orElse(""),
        primary.orElseThrow(),
        singles.build(),
        blocks,
        List.of(),
        true);
  }
}
