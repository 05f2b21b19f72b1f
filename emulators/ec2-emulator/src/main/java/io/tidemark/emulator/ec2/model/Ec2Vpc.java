package io.tidemark.emulator.ec2.model;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A virtual private cloud.
 *
 * @param blocks its IPv4 and IPv6 blocks, the primary IPv4 block first
 * @param isDefault whether launches without a subnet go here
 * @param participants accounts that a subnet of it is shared with; they see it
 */
public record Ec2Vpc(
    String id,
    String ownerId,
    List<BlockAssociation> blocks,
    boolean isDefault,
    SortedSet<String> participants,
    Ec2Tags tags)
    implements Resource {
  /**
   * One block of a VPC.
   *
   * @param associationId {@code vpc-cidr-assoc-...}
   */
  public record BlockAssociation(String associationId, Cidr block) {}

  public Ec2Vpc {
    blocks = List.copyOf(blocks);
    participants = Collections.unmodifiableSortedSet(new TreeSet<>(participants));
  }

  /** The block that it was made with. */
  public Cidr primaryBlock() {
    return blocks.get(0).block();
  }

  /** The blocks of one family. */
  public Stream<BlockAssociation> blocks(IpFamily family) {
    return blocks.stream().filter(association -> association.block().family() == family);
  }

  @Override
  public boolean isVisibleTo(String account) {
    return ownerId.equals(account) || participants.contains(account);
  }

  @Override
  public Ec2Vpc withTags(Ec2Tags changed) {
    return new Ec2Vpc(id, ownerId, blocks, isDefault, participants, changed);
  }

  public Ec2Vpc withBlocks(List<BlockAssociation> changed) {
    return new Ec2Vpc(id, ownerId, changed, isDefault, participants, tags);
  }

  public Ec2Vpc withParticipants(SortedSet<String> changed) {
    return new Ec2Vpc(id, ownerId, blocks, isDefault, changed, tags);
  }
}
