package io.tidemark.emulator.ec2.model;

import io.tidemark.ip.Cidr;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A virtual private cloud.
 *
 * @param blocks its IPv4 and IPv6 blocks, the primary IPv4 block first
 * @param isDefault whether launches without a subnet go here
 * @param participants accounts that a subnet of it is shared with; they see it
 */
public record Vpc(
    String id,
    String ownerId,
    List<BlockAssociation> blocks,
    boolean isDefault,
    SortedSet<String> participants,
    Tags tags)
    implements Resource {
  /**
   * One block of a VPC.
   *
   * @param associationId {@code vpc-cidr-assoc-...}
   */
  public record BlockAssociation(String associationId, Cidr block) {
    public BlockAssociation {
      Objects.requireNonNull(associationId, "associationId");
      Objects.requireNonNull(block, "block");
    }
  }

  public Vpc {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(ownerId, "ownerId");
    blocks = List.copyOf(blocks);
    participants = Collections.unmodifiableSortedSet(new TreeSet<>(participants));
    Objects.requireNonNull(tags, "tags");
  }

  /** The block that it was made with. */
  public Cidr primaryBlock() {
    return blocks.get(0).block();
  }

  @Override
  public boolean isVisibleTo(String account) {
    return ownerId.equals(account) || participants.contains(account);
  }

  @Override
  public Vpc withTags(Tags changed) {
    return new Vpc(id, ownerId, blocks, isDefault, participants, changed);
  }

  public Vpc withBlocks(List<BlockAssociation> changed) {
    return new Vpc(id, ownerId, changed, isDefault, participants, tags);
  }

  public Vpc withParticipants(SortedSet<String> changed) {
    return new Vpc(id, ownerId, blocks, isDefault, changed, tags);
  }
}
