package io.tidemark.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.testing.Hang;
import java.util.ArrayList;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("One family of one pool")
class ShardTest {
  private static final IpAddress IP = IpAddress.parse("10.0.0.1");

  private final Shard shard =
      new Shard(TestNode.DEFAULT, TestNode.range("10.0.0.0/29"), CoolingRule.OFF);

  private RunningLease leased(String owner) {
    TestNode.granted(shard.allocate(IP, owner, 0));
    RunningLease lease = new RunningLease(new Lease(new UUID(1, 2), IP, TestNode.DEFAULT));
    assertThat(shard.startLease(lease)).isEmpty();
    return lease;
  }

  @Test
  @DisplayName("AI5 A lease that runs out too late releases nothing, whatever has its id")
  void stale() {
    RunningLease first = leased("a");
    assertThat(shard.release(IP, 0)).isSameAs(first);
    RunningLease second = leased("b");
    assertThat(shard.expire(first, 0)).isFalse();
    assertThat(shard.ownerOf(IP)).contains("b");
    assertThat(shard.expire(second, 0)).isTrue();
    assertThat(shard.ownerOf(IP)).isEmpty();
    assertThat(shard.expire(second, 0)).isFalse();
  }

  @Test
  @DisplayName("AI4 Releasing an owner's addresses ends the leases that ran, and no other")
  void releaseAll() {
    RunningLease lease = leased("a");
    TestNode.granted(shard.allocate(IpAddress.parse("10.0.0.2"), "a", 0));
    TestNode.granted(shard.allocate(IpAddress.parse("10.0.0.3"), "b", 0));
    ArrayList<RunningLease> ended = new ArrayList<>();
    assertThat(shard.releaseAll("a", 0, ended)).isEqualTo(2);
    assertThat(ended).containsExactly(lease);
    assertThat(shard.counts(0).inUse()).isEqualTo(1);
  }

  @Test
  @DisplayName("No operation keeps the lock")
  void unlocked() {
    RunningLease lease = leased("a");
    shard.release(IP, 0);
    shard.cool(IP, 0, 0);
    shard.exclude(Cidr.single(IP), "b");
    shard.include(Cidr.single(IP), 0);
    shard.allocateNext("a", 0);
    shard.unable("a", 0);
    assertThat(shard.expire(lease, 0)).isFalse();
    assertTimeoutPreemptively(Hang.LIMIT, () -> shard.snapshot(0));
  }
}
