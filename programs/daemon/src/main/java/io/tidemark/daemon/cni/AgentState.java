package io.tidemark.daemon.cni;

import io.tidemark.agent.multipool.RememberedCidr;
import io.tidemark.daemon.cni.Attachment.Address;
import io.tidemark.ip.IpAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The agent's state that survives a restart (AM21).
 *
 * @param boot which start of the machine the attachments belong to
 * @param routers addresses that pods have as their gateway, one in each network; of an older file
 *     without their pools
 * @param attachments in the order in which they came
 * @param cooling addresses that were released a short while ago, each once
 * @param health addresses of the node for health checks, one of each family at most
 * @param cidrs blocks of pools that come and go; empty without such a record
 */
record AgentState(
    String boot,
    List<Address> routers,
    List<Attachment> attachments,
    List<Cooling> cooling,
    List<IpAddress> health,
    Optional<List<RememberedCidr>> cidrs) {
  /**
   * A released address.
   *
   * @param epochMillis when it was released, by the wall clock
   */
  record Cooling(Address address, long epochMillis) {}

  static AgentState empty(String boot) {
    return new AgentState(boot, List.of(), List.of(), List.of(), List.of(), Optional.empty());
  }

  /**
   * The state that is still valid since the machine was started: a container does not survive a
   * restart of the machine, so its addresses count as released now. All of it, if the boot id is
   * not known.
   */
  AgentState in(String present, long epochMillis) {
    if (present.isEmpty() || boot.equals(present)) {
      return this;
    }
    if (boot.isEmpty()) {
      return new AgentState(present, routers, attachments, cooling, health, cidrs);
    }
    List<Cooling> released =
        attachments.stream()
            .flatMap(each -> each.addresses().stream())
            .map(each -> new Cooling(each, epochMillis))
            .toList();
    return new AgentState(
        present,
        routers,
        List.of(),
        Stream.of(cooling, released).flatMap(List::stream).toList(),
        health,
        cidrs);
  }

  /** The state without addresses that were released before {@code epochMillis}. */
  AgentState withoutCooled(long epochMillis) {
    return new AgentState(
        boot,
        routers,
        attachments,
        cooling.stream().filter(each -> each.epochMillis() >= epochMillis).toList(),
        health,
        cidrs);
  }

  AgentState with(List<StateChange> changes) {
    List<Address> gateways = new ArrayList<>(routers);
    List<IpAddress> checked = health;
    Optional<List<RememberedCidr>> blocks = cidrs;
    Map<AttachmentKey, Attachment> all = new LinkedHashMap<>();
    attachments.forEach(each -> all.put(each.key(), each));
    Map<Address, Long> released = new LinkedHashMap<>();
    cooling.forEach(each -> released.put(each.address(), each.epochMillis()));
    for (StateChange change : changes) {
      if (change instanceof StateChange.Attach attach) {
        all.put(attach.attachment().key(), attach.attachment());
        attach.attachment().addresses().forEach(released::remove);
        attach.routers().stream().filter(it -> !gateways.contains(it)).forEach(gateways::add);
      } else if (change instanceof StateChange.Detach detach) {
        Attachment gone = all.remove(detach.key());
        if (gone != null) {
          gone.addresses().forEach(each -> released.put(each, detach.epochMillis()));
        }
      } else if (change instanceof StateChange.Routers changed) {
        gateways.clear();
        gateways.addAll(changed.routers());
      } else if (change instanceof StateChange.Health changed) {
        checked = changed.addresses();
      } else if (change instanceof StateChange.Cidrs changed) {
        blocks = Optional.of(changed.cidrs());
      }
    }
    return new AgentState(
        boot,
        gateways,
        List.copyOf(all.values()),
        released.entrySet().stream()
            .map(each -> new Cooling(each.getKey(), each.getValue()))
            .toList(),
        checked,
        blocks);
  }
}
