package io.tidemark.daemon.cni;

import io.tidemark.ip.IpAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What an agent keeps over a restart (AM21).
 *
 * @param boot which start of the machine the attachments belong to
 * @param routers addresses that pods have as their gateway, one of each family at most
 * @param attachments in the order in which they came
 */
record AgentState(String boot, List<IpAddress> routers, List<Attachment> attachments) {
  AgentState {
    routers = List.copyOf(routers);
    attachments = List.copyOf(attachments);
  }

  static AgentState empty(String boot) {
    return new AgentState(boot, List.of(), List.of());
  }

  /**
   * The state that is still valid since the machine was started: a container does not survive a
   * restart of the machine. All of it, if the boot id is not known.
   */
  AgentState in(String present) {
    if (present.isEmpty() || boot.equals(present)) {
      return this;
    }
    return new AgentState(present, routers, boot.isEmpty() ? attachments : List.of());
  }

  AgentState with(List<StateChange> changes) {
    List<IpAddress> gateways = routers;
    Map<AttachmentKey, Attachment> all = new LinkedHashMap<>();
    attachments.forEach(each -> all.put(each.key(), each));
    for (StateChange change : changes) {
      if (change instanceof StateChange.Attach attach) {
        all.put(attach.attachment().key(), attach.attachment());
      } else if (change instanceof StateChange.Detach detach) {
        all.remove(detach.key());
      } else if (change instanceof StateChange.Routers changed) {
        gateways = changed.routers();
      }
    }
    return new AgentState(boot, gateways, List.copyOf(all.values()));
  }
}
