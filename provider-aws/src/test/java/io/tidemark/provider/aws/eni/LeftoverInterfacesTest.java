package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.IpAddress;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface.Attachment;
import io.tidemark.provider.aws.ec2.Copies;
import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.EditedEc2;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.NodeOperations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Interfaces that are left over, or seem so (provider-aws 2.6, 6, 10.6, M9)")
class LeftoverInterfacesTest {
  private static final int INTERVAL = 5;
  private EniWorld world = new EniWorld();

  /** Two accounts: a listing of the VPCs, which the instances' account answers, lacks them. */
  private static Ec2Api withoutUnattached(Ec2Api ec2) {
    return EditedEc2.reads(
        ec2,
        (query, all) ->
            query.values().containsKey("vpc-id")
                ? all.stream().filter(each -> each.attachment().isPresent()).toList()
                : all);
  }

  @DisplayName(
      "AWS-53 what is being attached or detached is not collected, whichever read shows it")
  @ParameterizedTest(name = "attachment {0}, status {1}, in the listing {2}, alone {3}: {4}")
  @CsvSource({
    "attaching, in-use,    true,  true,  stays",
    "attaching, available, true,  true,  stays",
    "detaching, in-use,    true,  true,  stays",
    "detaching, available, true,  true,  stays",
    "detaching, '',        true,  true,  stays",
    "'',        in-use,    true,  true,  stays",
    "'',        pending,   true,  true,  stays",
    "attaching, available, false, true,  stays",
    "detaching, available, false, true,  stays",
    "'',        in-use,    false, true,  stays",
    "detaching, available, true,  false, stays",
    "'',        in-use,    true,  false, stays",
    "'',        available, true,  true,  goes",
    "'',        '',        true,  true,  goes"
  })
  void onItsWay(String attachment, String status, boolean listed, boolean alone, String end) {
    EditedEc2.Reads[] reads = {(query, all) -> all};
    world =
        new EniWorld(
            Samples.SETTINGS,
            ec2 -> EditedEc2.reads(ec2, (query, all) -> reads[0].shown(query, all)));
    world.node("node1");
    String leftOver = world.leftOver(Map.of());
    Optional<Attachment> at =
        Optional.of(attachment)
            .filter(state -> !state.isEmpty())
            .map(
                state ->
                    new Attachment(
                        "eni-attach-1", Optional.of(new InstanceId("i-0")), 0, 1, false, state));
    reads[0] =
        (query, all) ->
            (query.values().containsKey("network-interface-id") ? alone : listed)
                ? all.stream()
                    .map(
                        each ->
                            each.attachment().isPresent()
                                ? each
                                : Copies.with(each, Map.of("status", status, "attachment", at)))
                    .toList()
                : all;
    world.pass(3 * INTERVAL);

    assertThat(world.ec2.exists(leftOver)).isEqualTo(end.equals("stays"));
  }

  @DisplayName("are kept, or deleted when they are old enough")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          AWS-53 eight of ours and eight of nobody: ours go after an interval, theirs stay \
            | node; 8x left ours; 8x park others parked; resync; unattached 16; pass 7; gone ours; \
              unattached 8; metric ENI_GC_CANDIDATES 8; metric ENI_GC_DELETED 8; \
              metric ENI_GC_FAILED none; left late; resync; unattached 9; attach late 1; pass 15; \
              unattached 8; there others; there late
          M9 without a name of the cluster nothing is collected, and the metric says so \
            | cluster -; node; left one; pass 15; metric ENI_GC_STATE:unnamed 1; there one; \
              cluster test; pass 7; metric ENI_GC_STATE:on 1; gone one
          AWS-81 the mark is refused: the interface is kept and used, and marked after a read \
            | node; refuse ModifyNetworkInterfaceAttribute UnauthorizedOperation 403; \
              create 4 Allocated; 2m; asked ModifyNetworkInterfaceAttribute; \
              never DeleteNetworkInterface DetachNetworkInterface; marked 1 false; known 2; \
              serve; resync; 1m; marked 1 true; \
              never DeleteNetworkInterface DetachNetworkInterface
          one that a clock ahead of ours has dated is collected after an interval all the same \
            | node; left dated 2h; pass 4; there dated; pass 3; gone dated
          AWS-93 nor is one to which the next attempts return, each failing for long \
            | node; lose AttachNetworkInterface; create 4 Unknown; pass 3; sync; \
              create 4 Unknown; pass 3; sync; create 4 Unknown; pass 3; sync; unattached 1; \
              unattachedIs waiting; answer; create 4 Allocated; at 1 waiting; \
              never DeleteNetworkInterface
          AWS-94 after a restart nothing younger than five minutes is collected \
            | node; 10m; left dated 0s; left undated; pass 3; restart; node; 59s; resync; \
              there dated undated; 59s; resync; there dated undated; pass 1; 1m; gone dated; \
              there undated; pass 6; 1m; gone undated
          Without an interval none is deleted, and the metric says that it is off \
            | with collectionInterval=PT0S; node; left one; pass 12; there one; \
              metric ENI_GC_STATE:off 1
          An old one goes a horizon after it was first seen, and its subnet has more at once \
            | node; left old -1h; resync; 29s; resync; 500ms; there old; 29s; resync; 500ms; \
              there old; pass 1; 500ms; gone old; metric ENI_GC_DELETED 1; quota home
          Those of an account of networks are listed apart, and collected \
            | with crossAccount; node; \
              park litter Tidemark_(i-0) io.cilium/cilium-managed=true,io.cilium/cluster-name=test; \
              pass 8; gone litter
          The description must begin as a creation's: set, by default, or the reference's \
            | with description=Pods; node; park set Pods_(i-0) tidemark.io/cluster=test; \
              park default Tidemark_(i-0) tidemark.io/cluster=test; \
              park reference Cilium-CNI_(i-0) tidemark.io/cluster=test; \
              park bare Pods tidemark.io/cluster=test; \
              park theirs Pods_of_the_database tidemark.io/cluster=test; \
              park longer Tidemarks_(i-0) tidemark.io/cluster=test; \
              park id (i-0) tidemark.io/cluster=test; pass 7; gone set default reference; \
              there bare theirs longer id
          eni-gc-tags replace the name of the cluster \
            | with collectionTags=team=a; cluster -; node; park ours Tidemark_(i-0) team=a; \
              park other Tidemark_(i-0) team=b; pass 7; gone ours; there other; \
              metric ENI_GC_STATE:on 1
          eni-gc-tags replace the name of the cluster with two accounts, too \
            | twoAccounts; with collectionTags=team=a crossAccount; cluster -; node; \
              park ours Tidemark_(i-0) team=a; park other Tidemark_(i-0) team=b; pass 7; gone ours; \
              there other; metric ENI_GC_STATE:on 1
          """)
  void story(String what, String story) {
    new EniStory(new EniWorld()) {
      @Override
      boolean own(String verb, String... words) {
        if (verb.equals("twoAccounts")) {
          world = new EniWorld(world.settings, LeftoverInterfacesTest::withoutUnattached);
        }
        return verb.equals("twoAccounts");
      }
    }.tell(what, story);
  }

  @Test
  @DisplayName("AWS-93 an interface whose attachment takes three intervals is not collected")
  void inCreation() {
    world = EniWorld.patient();
    NodeOperations node = world.node("node1");
    world.delay("AttachNetworkInterface", Duration.ofMinutes(3 * INTERVAL));
    CompletionStage<AllocationOutcome> stage =
        node.createInterface(EniWorld.asking(node, 4), world.context(Duration.ofHours(2)));
    world.pass(3 * INTERVAL - 1);
    assertThat(world.ec2.unattachedIds()).as("created, not attached").hasSize(1);
    world.pass(2);
    assertThat(world.await(stage)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(world.interfaces("node1")).hasSize(2);
    assertThat(world.requests).doesNotContain("DeleteNetworkInterface");
  }

  @Test
  @DisplayName("AWS-100 two nodes, two elastic addresses, at the same time: each gets one")
  void elasticRace() {
    Map<String, String> tags = Map.of("for", "edge");
    NodeOperations first = world.node("node1");
    NodeOperations second = world.node("node2");
    List<String> addresses = new ArrayList<>();
    addresses.add(world.ec2.publicAddress(tags));
    addresses.add(world.ec2.publicAddress(tags));
    CompletionStage<AllocationOutcome> one = first.allocateStaticAddress(tags, world.context());
    CompletionStage<AllocationOutcome> two = second.allocateStaticAddress(tags, world.context());
    assertThat(world.await(one)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(world.await(two)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(List.of(publicAddress("node1"), publicAddress("node2")))
        .containsExactlyInAnyOrderElementsOf(addresses);
  }

  @Test
  @DisplayName("AWS-100 another program takes the first address meanwhile: the next one is taken")
  void elasticRaceWithAnother() {
    Map<String, String> tags = Map.of("for", "edge");
    NodeOperations node = world.node("node1");
    world.node("node2");
    world.ec2.publicAddress(tags);
    world.ec2.publicAddress(tags);
    world.delay("AssociateAddress", Duration.ofSeconds(2));
    CompletionStage<AllocationOutcome> stage = node.allocateStaticAddress(tags, world.context());
    world.run(Duration.ofSeconds(1));
    assertThat(world.requests).endsWith("AssociateAddress");
    String taken = world.ec2.associateFirst(tags, world.instance("node2"));
    assertThat(world.await(stage))
        .isInstanceOfSatisfying(
            AllocationOutcome.Allocated.class,
            bound ->
                assertThat(bound.staticAddress().map(IpAddress::toString))
                    .isNotEqualTo(Optional.of(taken)));
    assertThat(publicAddress("node1")).isNotEqualTo(taken);
    assertThat(publicAddress("node2")).isEqualTo(taken);
  }

  private String publicAddress(String node) {
    return world.interfaces(node).get(0).publicAddress().orElseThrow().toString();
  }
}
