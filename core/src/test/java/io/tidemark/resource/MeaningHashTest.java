package io.tidemark.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.EniStatus.Eni;
import io.tidemark.testing.Samples;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The hash of what an operator writes")
class MeaningHashTest {
  private static final NodeResource FOREIGN =
      TestResources.parse(TestResources.text("/resource/foreign-fields.json"));

  @ParameterizedTest(name = "{0} and {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{'later':0}                     | {}",
        "{'later':{'on':false,'n':''}}   | {}",
      })
  @DisplayName("NM-J4 is the same without zero values of members that are not known here")
  void zeroOfUnknown(String a, String b) {
    assertThat(withInterface(b).operatorHash()).isEqualTo(withInterface(a).operatorHash());
  }

  @ParameterizedTest(name = "{0} and {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{'number':1}                 | {'number':2}",
        "{'number':1}                 | {}",
        "{'addresses':['10.0.0.1','10.0.0.2']}    | {'addresses':['10.0.0.1','10.0.0.3']}",
        "{'addresses':['10.0.0.1','2001:db8::1']} | {'addresses':['10.0.0.1','10.0.0.2']}",
        "{'addresses':['10.0.0.1']}   | {'addresses':['10.0.0.2']}",
        "{'addresses':['10.0.0.1']}   | {'addresses':['10.0.0.1','10.0.0.1']}",
        "{'addresses':['10.0.0.1']}   | {'prefixes':['10.0.0.1/32']}",
        "{'tags':{'a':''}}            | {}",
        "{'tags':{'a':'b'}}           | {'tags':{'b':'a'}}",
        "{'tags':{'a':'1','b':'2'}}   | {'tags':{'a':'2','b':'1'}}",
        "{'ip':'10.0.0.1'}            | {'public-ip':'10.0.0.1'}",
        "{'subnet':{'id':'x'}}        | {'vpc':{'id':'x'}}",
        "{'later':[1,2]}              | {'later':[2,1]}",
        "{'later':[0]}                | {'later':[0,0]}",
        "{'later':true}               | {'later':1}",
        "{'later':true}               | {}",
        "{'later':['a','b']}          | {'later':['b','a']}",
        "{'later':[[1],[2]]}          | {'later':[[1,2]]}",
        "{'later':{'a':{'b':1}}}      | {'later':{'b':{'a':1}}}",
        "{'prefixes':['10.0.0.0/28']} | {'prefixes':['10.0.0.0/27']}",
        "{'prefixes':['10.0.0.0/28']} | {'prefixes':['10.0.0.16/28']}",
        "{'addresses':['2001:db8::1']} | {'addresses':['2001:db8::2']}",
        "{'addresses':['2001:db8::1']} | {'addresses':['2001:db8:1::1']}",
        "{'ip':'10.0.0.1'}            | {'ip':'10.0.0.2'}",
        "{'number':1}                 | {'number':-1}"
      })
  @DisplayName("differs when an interface says something else")
  void otherMeaning(String a, String b) {
    NodeResource left = withInterface(a);
    NodeResource right = withInterface(b);
    assertThat(left.operatorHash()).isNotEqualTo(right.operatorHash());
    assertThat(left.sameStatus(right)).isFalse();
    assertThat(right.sameStatus(left)).isFalse();
  }

  @ParameterizedTest(name = "{0}: {1} and {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "first-interface-index | 0     | null",
        "first-interface-index | 0     | 1",
        "use-primary-address   | false | null",
        "use-primary-address   | false | true",
        "subnet-ids            | ['a','b'] | ['b','a']",
      })
  @DisplayName("NM-J6 NM-J7 differs where zero, false or an order means something")
  void statedValues(String key, String a, String b) {
    assertThat(hash(CiliumNodeShapes.ENI_SPEC, "{'" + key + "':" + a + "}"))
        .isNotEqualTo(hash(CiliumNodeShapes.ENI_SPEC, "{'" + key + "':" + b + "}"));
  }

  @ParameterizedTest(name = "{0} and {1}: {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{'10.0.0.1':{'owner':'a','resource':'b'}} | {'10.0.0.1':{'resource':'b','owner':'a'}} | true",
        "{'10.0.0.1':{},'10.0.0.2':{'owner':'a'}}  | {'10.0.0.2':{'owner':'a','resource':''},'10.0.0.1':null} | true",
        "{'10.0.0.1':{'owner':'a'}}  | {'10.0.0.1':{'owner':'a','later':null}} | true",
        "{'10.0.0.1':{}}             | {'10.0.0.1':{'later':{}}}            | true",
        "{'::1':{}}                  | {'0:0::1':{}}                        | true",
        "{'10.0.0.1':{}}             | {}                                   | false",
        "{'10.0.0.1':{}}             | {'10.0.0.2':{}}                      | false",
        "{'10.0.0.1':{'owner':'a'}}  | {'10.0.0.1':{'resource':'a'}}        | false",
        "{'10.0.0.1':{'owner':'a'}}  | {'10.0.0.1':{'later':'a'}}           | false",
        "{'10.0.0.1':{'owner':'a'},'10.0.0.2':{}} | {'10.0.0.2':{'owner':'a'},'10.0.0.1':{}} | false"
      })
  @DisplayName("NM-J4 is the same for an address map in either of its forms")
  void forms(String a, String b, boolean same) {
    JsonObject left = TreePrinterTest.read(a.replace('\'', '"')).asObject();
    JsonObject right = TreePrinterTest.read(b.replace('\'', '"')).asObject();
    Shape shape = CiliumNodeShapes.ADDRESS_ENTRIES;
    long hash = MeaningHash.of(shape, left);
    assertThat(MeaningHash.of(shape, AddressTable.compact(left))).isEqualTo(hash);
    assertThat(MeaningHash.of(shape, AddressTable.compact(right)) == hash).isEqualTo(same);
    assertThat(MeaningHash.of(shape, right) == hash).isEqualTo(same);
  }

  private static long hash(Shape shape, String text) {
    return MeaningHash.of(shape, TreePrinterTest.read(text.replace('\'', '"')));
  }

  private static NodeResource withInterface(String members) {
    String rest = members.equals("{}") ? "}" : "," + members.substring(1);
    return TestResources.node("{}", "{'eni':{'enis':{'eni-a':{'id':'eni-a'" + rest + "}}}");
  }

  @Test
  @DisplayName("NM-J4 survives every rewrite that keeps the meaning, and sees every other change")
  void randomRewrites() {
    int changes = 0;
    for (long seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      NodeResource node = node(random);
      NodeResource written = new RandomRewrites(random).of(node);
      String label = "seed " + seed + "\n" + print(node) + "\n" + print(written);
      assertThat(written.sameSpec(node)).as(label).isTrue();
      assertThat(node.sameSpec(written)).as(label).isTrue();
      assertThat(written.sameStatus(node)).as(label).isTrue();
      assertThat(node.sameStatus(written)).as(label).isTrue();
      assertThat(written.operatorHash()).as(label).isEqualTo(node.operatorHash());
      for (NodeResource changed : changed(random, written)) {
        changes++;
        assertThat(changed.operatorHash()).as(label).isNotEqualTo(node.operatorHash());
        assertThat(changed.sameSpec(node) && changed.sameStatus(node)).as(label).isFalse();
      }
      Map<IpAddress, HandshakeState> marks = new HashMap<>(written.releaseIps());
      marks.merge(
          IpAddress.parse("10.0.0.9"),
          HandshakeState.MARKED_FOR_RELEASE,
          (had, mark) -> HandshakeState.RELEASED);
      assertThat(written.withReleaseIps(marks).sameStatus(node)).as(label).isFalse();
    }
    assertThat(changes).isEqualTo(1500);
  }

  private static String print(NodeResource node) {
    return NodeResourceJson.print(node);
  }

  private static NodeResource node(Random random) {
    JsonObject json = FOREIGN.json();
    NodeResource node = FOREIGN.withPool(pool(random)).withEniStatus(status(random));
    JsonObject grown = new RandomTrees(random).withForeignFields(node.json());
    for (String kept : List.of("apiVersion", "kind", "metadata")) {
      grown = grown.with(kept, json.get(kept));
    }
    return TestResources.parse(TreePrinter.compact(grown));
  }

  private static PodIpPool pool(Random random) {
    Map<String, AddressSet> pool = new HashMap<>();
    for (int i = 0; i < 3; i++) {
      AddressSet.Builder addresses = AddressSet.builder();
      for (int j = random.nextInt(5); j > 0; j--) {
        addresses.add(IpAddress.parse("10.0." + i + "." + random.nextInt(20)));
      }
      if (random.nextInt(4) == 0) {
        addresses.add(IpAddress.parse("2001:db8::" + (i + 1)));
      }
      pool.put("eni-" + i, addresses.build());
    }
    return PodIpPool.of(pool);
  }

  private static EniStatus status(Random random) {
    SortedMap<String, Eni> enis = new TreeMap<>();
    for (int i = 0; i < 1 + random.nextInt(3); i++) {
      List<String> addresses = new ArrayList<>();
      for (int j = 0; j < random.nextInt(5); j++) {
        addresses.add(random.nextInt(6) == 0 ? "2001:db8::" + i + j : "10.0." + i + "." + (10 + j));
      }
      String id = "eni-" + i;
      enis.put(id, eni(id, random.nextInt(2), addresses));
    }
    return new EniStatus(enis);
  }

  /** The node with one thing changed that only an operator writes: an address or a number. */
  private static List<NodeResource> changed(Random random, NodeResource node) {
    SortedMap<String, Eni> enis = node.eniStatus().orElseThrow().enis();
    Eni eni = List.copyOf(enis.values()).get(random.nextInt(enis.size()));
    List<String> addresses =
        new ArrayList<>(eni.addresses().stream().map(IpAddress::toString).toList());
    Eni next = eni(eni.id(), eni.number() + 1, addresses);
    addresses.add("10.9.9." + random.nextInt(200));
    Eni longer = eni(eni.id(), eni.number(), addresses);
    Map<String, AddressSet> pool = new HashMap<>(node.pool().byResource());
    pool.merge("eni-0", AddressSet.of(IpAddress.parse("10.9.9.9")), AddressSet::plus);
    return List.of(
        node.withEniStatus(with(enis, next)),
        node.withEniStatus(with(enis, longer)),
        node.withPool(PodIpPool.of(pool)));
  }

  private static Eni eni(String id, int number, List<String> addresses) {
    return Samples.eni(id, number, addresses.toArray(String[]::new));
  }

  private static EniStatus with(SortedMap<String, Eni> enis, Eni eni) {
    SortedMap<String, Eni> changed = new TreeMap<>(enis);
    changed.put(eni.id(), eni);
    return new EniStatus(changed);
  }
}
