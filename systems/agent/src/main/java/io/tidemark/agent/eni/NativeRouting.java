package io.tidemark.agent.eni;

import io.tidemark.agent.AgentError;
import io.tidemark.ip.Cidr;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.EniStatus.VpcRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Which addresses pods reach without translation: those of the VPC, unless configured. */
public sealed interface NativeRouting {
  /** This block. */
  record Block(Cidr cidr) implements NativeRouting {}

  /** No interface with its VPC is in the status yet. */
  record Unknown() implements NativeRouting {}

  /** The configured CIDR and the VPC do not overlap; the agent must not start. */
  record Contradiction(Cidr configured, List<Cidr> vpc) implements NativeRouting {
    public Contradiction {
      vpc = List.copyOf(vpc);
    }

    /** The published code. */
    public AgentError code() {
      return AgentError.ROUTING_CIDR_CONTRADICTS;
    }

    /** The offending values. */
    public String detail() {
      return "ipv4-native-routing-cidr is "
          + configured
          + "; expected a block with or in one of "
          + vpc;
    }
  }

  /**
   * The block by the first interface that names its VPC.
   *
   * @param configured contains a block of the VPC, or is part of one; empty for the VPC's primary
   *     one
   */
  static NativeRouting of(EniStatus status, Optional<Cidr> configured) {
    for (EniStatus.Eni each : status.enis().values()) {
      VpcRef vpc = each.vpc();
      if (vpc.primaryCidr().isPresent()) {
        return of(vpc.primaryCidr().get(), vpc.cidrs(), configured);
      }
    }
    return new Unknown();
  }

  private static NativeRouting of(Cidr primary, List<Cidr> others, Optional<Cidr> configured) {
    List<Cidr> all = new ArrayList<>(List.of(primary));
    others.stream().filter(each -> !all.contains(each)).forEach(all::add);
    Cidr block = configured.orElse(primary);
    return all.stream().anyMatch(block::overlaps)
        ? new Block(block)
        : new Contradiction(block, all);
  }
}
