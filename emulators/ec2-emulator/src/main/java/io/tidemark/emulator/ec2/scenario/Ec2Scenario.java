package io.tidemark.emulator.ec2.scenario;

import io.tidemark.emulator.ec2.model.Ec2ModelOptions;
import io.tidemark.emulator.ec2.pace.Ec2FaultRule;
import io.tidemark.emulator.kit.scenario.Place;
import io.tidemark.ip.Cidr;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The behaviour of the emulated EC2 and its initial resources. Immutable.
 *
 * @param options the options of the model
 * @param vpcs created in this order, each with its subnets
 * @param instances launched in this order, an hour before the start
 * @param faults active from the start
 * @param denials actions that are denied, by principal
 * @param metadata whose metadata service there is, when one is asked for
 */
public record Ec2Scenario(
    Ec2ModelOptions options,
    List<VpcPlan> vpcs,
    List<InstancePlan> instances,
    List<Ec2FaultRule> faults,
    SortedMap<String, Set<String>> denials,
    MetadataPlan metadata) {
  /** A VPC, with an IPv6 block of Amazon's when wanted. */
  record VpcPlan(
      Place place,
      String name,
      String account,
      String region,
      Cidr block,
      boolean ipv6,
      Map<String, String> tags,
      List<SubnetPlan> subnets) {
    VpcPlan {
      tags = Map.copyOf(tags);
      subnets = List.copyOf(subnets);
    }
  }

  /**
   * A subnet.
   *
   * @param zone its name; empty for one of EC2's choice
   * @param share accounts that it is shared with
   * @param fragmented the part of its free /28 blocks of which one address is taken
   */
  record SubnetPlan(
      Place place,
      String name,
      Optional<String> zone,
      Cidr block,
      boolean ipv6,
      Map<String, String> tags,
      List<ReservationPlan> reservations,
      List<String> share,
      OptionalDouble fragmented) {
    SubnetPlan {
      tags = Map.copyOf(tags);
      reservations = List.copyOf(reservations);
      share = List.copyOf(share);
    }
  }

  /** A part of a subnet that is kept, {@code prefix} or {@code explicit}. */
  record ReservationPlan(Place place, Cidr block, String type) {}

  /**
   * Equal instances.
   *
   * @param account empty for the subnet's
   * @param addresses secondary addresses of the first interface
   * @param prefixes of the first interface
   */
  record InstancePlan(
      Place place,
      String name,
      String subnet,
      String type,
      int count,
      Optional<String> account,
      int addresses,
      int prefixes,
      Map<String, String> tags) {
    InstancePlan {
      tags = Map.copyOf(tags);
    }
  }

  /**
   * The metadata service.
   *
   * @param instance name of the instance whose service it is
   * @param role name of that instance's role
   */
  public record MetadataPlan(Optional<String> instance, Optional<String> role) {
    static final MetadataPlan NONE = new MetadataPlan(Optional.empty(), Optional.empty());
  }

  public Ec2Scenario {
    vpcs = List.copyOf(vpcs);
    instances = List.copyOf(instances);
    faults = List.copyOf(faults);
    denials = Collections.unmodifiableSortedMap(new TreeMap<>(denials));
  }

  /** A world with what every account finds, and nothing else. */
  public static Ec2Scenario of(Ec2ModelOptions options) {
    return new Ec2Scenario(
        options, List.of(), List.of(), List.of(), new TreeMap<>(), MetadataPlan.NONE);
  }

  public Ec2Scenario withOptions(Ec2ModelOptions changed) {
    return new Ec2Scenario(changed, vpcs, instances, faults, denials, metadata);
  }
}
