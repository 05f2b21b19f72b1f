package io.tidemark.daemon.cni;

import io.tidemark.agent.multipool.RememberedCidr;
import io.tidemark.daemon.cni.Attachment.Address;
import io.tidemark.ip.IpAddress;
import java.util.List;

/** A change of what the agent keeps over a restart. */
sealed interface StateChange {
  record Attach(Attachment attachment, List<Address> routers) implements StateChange {}

  /** An attachment has none any more: they were released at {@code epochMillis}. */
  record Detach(AttachmentKey key, long epochMillis) implements StateChange {}

  /** These are the gateways of the pods, and nothing else has changed. */
  record Routers(List<Address> routers) implements StateChange {}

  /** These are the addresses of the node for health checks. */
  record Health(List<IpAddress> addresses) implements StateChange {}

  /** The blocks of pools that the next process must know. */
  record Cidrs(List<RememberedCidr> cidrs) implements StateChange {}
}
