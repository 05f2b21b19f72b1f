package io.tidemark.emulator.ec2.scenario;

import io.tidemark.emulator.ec2.model.Caller;
import io.tidemark.emulator.ec2.model.Ec2Model;
import io.tidemark.emulator.ec2.model.Ec2Subnet;
import io.tidemark.emulator.ec2.model.Ec2SubnetAddresses;
import io.tidemark.emulator.ec2.model.Quota;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.model.Reply;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Ec2Refusal;
import io.tidemark.emulator.ec2.protocol.QueryForm;
import io.tidemark.emulator.ec2.protocol.Xml;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.Ipv4Address;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Fragments the free space of a subnet: takes one address of many /28 blocks, so that single
 * addresses are left but no prefixes. The addresses belong to detached interfaces; delete these to
 * free the space.
 */
public final class Fragments {
  /** The description of the interfaces that hold the addresses. */
  public static final String DESCRIPTION = "Taken to fragment the subnet";

  private Fragments() {}

  /** The interfaces that were created, and the number of their addresses. */
  public record Taken(List<String> interfaceIds, int addresses) {
    public Taken {
      interfaceIds = List.copyOf(interfaceIds);
    }
  }

  /**
   * Takes an address of about this share of the /28 blocks that are wholly free.
   *
   * @throws Ec2Refusal when the owner's quota of interfaces is reached; nothing is taken then
   */
  public static Taken take(
      Ec2Model world,
      Region region,
      Ec2Subnet subnet,
      double share,
      SplittableRandom random,
      Instant now) {
    List<Ipv4Address> chosen = choose(region.addresses(subnet.id()), subnet, share, random);
    Caller owner = new Caller(subnet.ownerId(), region.name(), subnet.ownerId());
    int most = region.quota(Quota.DETACHED_ADDRESSES);
    List<String> made = new ArrayList<>();
    try {
      for (int from = 0; from < chosen.size(); from += most) {
        List<Ipv4Address> part = chosen.subList(from, Math.min(chosen.size(), from + most));
        made.add(create(world, owner, subnet, part, now));
      }
    } catch (Ec2Refusal refusal) {
      made.forEach(
          id ->
              call(world, owner, "DeleteNetworkInterface", now, Map.of("NetworkInterfaceId", id)));
      throw refusal;
    }
    return new Taken(made, chosen.size());
  }

  private static List<Ipv4Address> choose(
      Ec2SubnetAddresses books, Ec2Subnet subnet, double share, SplittableRandom random) {
    List<Ipv4Address> chosen = new ArrayList<>();
    long blocks = subnet.block().sizeSaturated() >> (32 - Ec2SubnetAddresses.PREFIX_LENGTH);
    for (int i = 0; i < blocks; i++) {
      Cidr block = subnet.block().subnet(Ec2SubnetAddresses.PREFIX_LENGTH, i);
      boolean whole = true;
      for (int at = 0; at < 16 && whole; at++) {
        whole = books.state(block.address(at)) == Ec2SubnetAddresses.State.FREE;
      }
      if (whole && random.nextDouble() < share) {
        chosen.add((Ipv4Address) block.address(random.nextInt(16)));
      }
    }
    return chosen;
  }

  private static String create(
      Ec2Model world, Caller owner, Ec2Subnet subnet, List<Ipv4Address> addresses, Instant now) {
    TreeMap<String, String> form = new TreeMap<>();
    form.put("SubnetId", subnet.id());
    form.put("Description", DESCRIPTION);
    for (int i = 0; i < addresses.size(); i++) {
      String name = "PrivateIpAddresses." + (i + 1);
      form.put(name + ".PrivateIpAddress", addresses.get(i).toString());
      form.put(name + ".Primary", Boolean.toString(i == 0));
    }
    return call(world, owner, "CreateNetworkInterface", now, form)
        .nested("networkInterface")
        .flatMap(made -> made.text("networkInterfaceId"))
        .orElseThrow();
  }

  /** Does an action as this account, past every hindrance. */
  static Answer call(
      Ec2Model world, Caller caller, String action, Instant now, Map<String, String> parameters) {
    TreeMap<String, String> form = new TreeMap<>(parameters);
    form.put("Action", action);
    form.put("Version", Xml.VERSION);
    Reply reply = world.prepare(caller, new QueryForm(form), now);
    return reply
        .result()
        .match(
            answer -> answer,
            error -> {
              throw new Ec2Refusal(error);
            });
  }
}
