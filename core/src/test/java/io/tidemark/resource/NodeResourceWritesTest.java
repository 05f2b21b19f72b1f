package io.tidemark.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.EniStatus.Eni;
import io.tidemark.testing.Cases;
import io.tidemark.testing.Samples;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Random sequences of writes")
class NodeResourceWritesTest {
  private static final NodeResource FOREIGN =
      TestResources.parse(TestResources.text("/resource/foreign-fields.json"));
  private static final List<HandshakeState> STATES = List.of(HandshakeState.values());
  private static final Cidr BLOCK = Cidr.parse("10.0.0.0/27");

  @Test
  @DisplayName("each answers what was written, leaves its original alone, and reads back the same")
  void writes() {
    for (long seed = 0; seed < Cases.of(300); seed++) {
      Random random = new Random(seed);
      NodeResource node = random.nextBoolean() ? FOREIGN : NodeResource.named("n");
      for (int step = 0; step < 30; step++) {
        String before = NodeResourceJson.print(node);
        NodeResource after = write(random, node);
        assertThat(NodeResourceJson.print(node)).as("seed %d", seed).isEqualTo(before);
        assertSameAsReadBack(after, "seed " + seed + " step " + step);
        node = after;
      }
    }
  }

  private static NodeResource write(Random random, NodeResource node) {
    switch (random.nextInt(12)) {
      case 0 -> {
        PodIpPool pool = pool(random);
        NodeResource after = node.withPool(pool);
        assertThat(after.pool().byResource()).isEqualTo(pool.byResource());
        assertThat(after.sameStatus(node)).isTrue();
        return after;
      }
      case 1 -> {
        int number = random.nextInt(5);
        NodeResource after = node.withPreAllocate(number);
        assertThat(after.ipam().preAllocate()).isEqualTo(number);
        return after;
      }
      case 2 -> {
        IpamSpec ipam = ipam(random);
        NodeResource after = node.withIpam(ipam);
        assertThat(after.ipam()).isEqualTo(ipam);
        return after;
      }
      case 3 -> {
        Map<IpAddress, HandshakeState> marks = new HashMap<>();
        addresses(random)
            .forEach(each -> marks.put(each, STATES.get(random.nextInt(STATES.size()))));
        NodeResource after = node.withReleaseIps(marks);
        assertThat(after.releaseIps()).isEqualTo(marks);
        assertThat(after.sameSpec(node)).isTrue();
        return after;
      }
      case 4 -> {
        Map<IpAddress, UsedAddress> used = new HashMap<>();
        addresses(random)
            .forEach(each -> used.put(each, new UsedAddress(text(random, "pod"), id(random))));
        NodeResource after = node.withUsed(used);
        assertThat(after.usedEntries()).isEqualTo(used);
        assertThat(after.used()).isEqualTo(AddressSet.copyOf(used.keySet()));
        return after;
      }
      case 5 -> {
        EniStatus status = eniStatus(random);
        NodeResource after = node.withEniStatus(status);
        assertThat(after.eniStatus())
            .isEqualTo(status.enis().isEmpty() ? Optional.empty() : Optional.of(status));
        return after;
      }
      case 6 -> {
        EniSpec eni = eniSpec(random);
        NodeResource after = node.withEniSpec(eni);
        assertThat(after.eniSpec())
            .isEqualTo(eni.equals(EniSpec.EMPTY) ? Optional.empty() : Optional.of(eni));
        return after;
      }
      case 7 -> {
        return node.withResourceVersion(Integer.toString(random.nextInt(100)))
            .withInstanceId("i-" + random.nextInt(3));
      }
      case 8 -> {
        return random.nextBoolean() ? node.withSpecOf(FOREIGN) : node.withStatusOf(FOREIGN);
      }
      case 9 -> {
        List<String> cidrs = addresses(random).toList().stream().map(each -> each + "/28").toList();
        NodeResource after = node.withPodCidrs(cidrs);
        assertThat(after.podCidrs()).isEqualTo(cidrs);
        assertThat(after.sameStatus(node)).isTrue();
        return after;
      }
      case 10 -> {
        String error = text(random, "no block");
        NodeResource after = node.withOperatorError(error);
        assertThat(after.operatorError().orElse("")).isEqualTo(error);
        assertThat(after.sameSpec(node)).isTrue();
        return after;
      }
      default -> {
        IpAddress address = BLOCK.address(random.nextInt(32));
        NodeResource after = node.withAssignedStaticIp(address);
        assertThat(after.assignedStaticIp()).contains(address.toString());
        return after;
      }
    }
  }

  private static void assertSameAsReadBack(NodeResource node, String label) {
    NodeResource read = TestResources.parse(NodeResourceJson.print(node));
    assertThat(read).as(label).isEqualTo(node);
    assertThat(read.sameSpec(node) && read.sameStatus(node)).as(label).isTrue();
    SortedMap<String, Object> views = TestResources.views(read);
    views.put("eniStatus", sorted(read.eniStatus()));
    SortedMap<String, Object> expected = TestResources.views(node);
    expected.put("eniStatus", sorted(node.eniStatus()));
    assertThat(views).as(label).isEqualTo(expected);
  }

  /** The interfaces with their lists in order: a write that only shuffles one leaves it alone. */
  private static Map<String, Set<Object>> sorted(Optional<EniStatus> status) {
    Map<String, Set<Object>> all = new TreeMap<>();
    status.ifPresent(
        each ->
            each.enis()
                .forEach(
                    (id, eni) -> {
                      Set<Object> parts = new HashSet<>(eni.addresses());
                      parts.addAll(eni.securityGroups());
                      parts.addAll(eni.prefixes());
                      parts.add(eni.tags());
                      parts.add(eni.subnet());
                      parts.add(eni.number());
                      all.put(id, parts);
                    }));
    return all;
  }

  private static AddressSet addresses(Random random) {
    AddressSet.Builder builder = AddressSet.builder();
    IntStream.range(0, random.nextInt(6))
        .forEach(i -> builder.add(BLOCK.address(random.nextInt(32))));
    if (random.nextInt(8) == 0) {
      builder.add(IpAddress.parse("2001:db8::" + random.nextInt(9)));
    }
    return builder.build();
  }

  private static PodIpPool pool(Random random) {
    Map<String, AddressSet> pool = new HashMap<>();
    AddressSet taken = AddressSet.of();
    for (String id : List.of("", "eni-a", "eni-b")) {
      AddressSet own = addresses(random).minus(taken);
      taken = taken.plus(own);
      pool.put(id, own);
    }
    return PodIpPool.of(pool);
  }

  private static IpamSpec ipam(Random random) {
    Set<Cidr> allocated = new HashSet<>();
    addresses(random).forEach(each -> allocated.add(Cidr.single(each)));
    return new IpamSpec(
        random.nextInt(4),
        random.nextInt(4),
        random.nextInt(4),
        random.nextInt(4),
        random.nextBoolean() ? Map.of() : Map.of("pool", text(random, "tag")),
        random.nextBoolean()
            ? Optional.empty()
            : Optional.of(new AddressDemand(random.nextInt(3), random.nextInt(3))),
        allocated);
  }

  private static EniStatus eniStatus(Random random) {
    SortedMap<String, Eni> enis = new TreeMap<>();
    for (String id : List.of("eni-a", "eni-b", "eni-c")) {
      if (random.nextBoolean()) {
        String[] addresses =
            addresses(random).toList().stream().map(IpAddress::toString).toArray(String[]::new);
        enis.put(id, Samples.eni(id, random.nextInt(3), addresses));
      }
    }
    return new EniStatus(enis);
  }

  private static EniSpec eniSpec(Random random) {
    if (random.nextInt(4) == 0) {
      return EniSpec.EMPTY;
    }
    return new EniSpec(
        text(random, "type"),
        random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(random.nextInt(2)),
        random.nextBoolean() ? List.of() : List.of("sg-" + random.nextInt(2)),
        random.nextBoolean() ? Map.of() : Map.of("k", ""),
        random.nextBoolean() ? List.of() : List.of("subnet-b", "subnet-a"),
        Map.of(),
        text(random, "subnet"),
        text(random, "vpc"),
        text(random, "zone"),
        Map.of(),
        random.nextBoolean() ? Optional.empty() : Optional.of(random.nextBoolean()),
        Optional.empty(),
        Optional.of(random.nextBoolean()));
  }

  private static String id(Random random) {
    return random.nextInt(3) == 0 ? "" : "eni-" + random.nextInt(2);
  }

  private static String text(Random random, String stem) {
    return random.nextInt(3) == 0 ? "" : stem + "-" + random.nextInt(3);
  }
}
