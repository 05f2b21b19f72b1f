package io.tidemark.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Compact forms of address maps and lists")
class AddressFormsTest {
  private static JsonValue read(String text) {
    return TreePrinterTest.read(text.replace('\'', '"'));
  }

  private static JsonValue map(String text) {
    return AddressTable.compact(read(text).asObject());
  }

  private static JsonValue list(String text) {
    return AddressList.compact(read(text).asArray());
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{'10.0.0.1':{}}                              | true",
        "{'10.0.0.1':{'owner':'a','resource':'b'}}    | true",
        "{'10.0.0.1':{'resource':'b'},'10.0.0.0':{'owner':''}} | true",
        "{'10.0.0.1':{'resource':'b','owner':'a'}}    | false",
        "{'10.0.0.1':{'owner':'a','x':'b'}}           | false",
        "{'10.0.0.1':{'x':'a'}}                       | false",
        "{'10.0.0.1':{'owner':7}}                     | false",
        "{'10.0.0.1':{'resource':null}}               | false",
        "{'10.0.0.1':null}                            | false",
        "{'10.0.0.1':{},'::1':{}}                     | false",
        "{'10.0.0':{}}                                | false",
        "{}                                           | false",
      })
  @DisplayName("only a regular map is made compact, and either form stands for the same object")
  void tables(String text, boolean compact) {
    JsonValue value = map(text);
    assertThat(value instanceof AddressTable).isEqualTo(compact);
    assertThat(value.asObject()).isEqualTo(read(text));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "['10.0.0.1','10.0.0.1'] | true",
        "['10.0.0.1','::1']      | false",
        "['10.0.0.1',7]          | false",
        "['10.0.0.1','x']        | false",
        "[]                      | false"
      })
  @DisplayName("only a list of IPv4 addresses is made compact")
  void lists(String text, boolean compact) {
    JsonValue value = list(text);
    assertThat(value instanceof AddressList).isEqualTo(compact);
    assertThat(value.asArray()).isEqualTo(read(text));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "[{'ip':'10.0.0.1','s':'a'},{'ip':'10.0.0.1','s':'a'}]  | true",
        "[{'s':{'t':1},'ip':'10.0.0.1'}]                        | true",
        "[{'ip':'10.0.0.1','s':'a'},{'ip':'10.0.0.2','s':'b'}]  | false",
        "[{'ip':'10.0.0.1','s':'a'},{'s':'a','ip':'10.0.0.2'}]  | false",
        "[{'ip':'10.0.0.1'},{'ip':'10.0.0.2','s':'b'}]          | false",
        "[{'ip':'10.0.0.1'},{}]                                 | false",
        "[{'ip':'10.0.0.1'},{'ip':'::1'}]                       | false",
        "[{'ip':'10.0.0.0/28'}]                                 | false",
        "[{'ip':7}]                                             | false",
        "['10.0.0.1']                                           | false",
        "[]                                                     | false"
      })
  @DisplayName("only objects that differ in an IPv4 address alone are made compact")
  void records(String text, boolean compact) {
    JsonValue value = AddressRecords.compact(read(text).asArray(), "ip");
    assertThat(value instanceof AddressRecords).isEqualTo(compact);
    assertThat(value.asArray()).isEqualTo(read(text));
    assertThat(TreePrinter.compact(value)).isEqualTo(text.replace('\'', '"'));
    assertThat(TreePrinter.pretty(value)).isEqualTo(TreePrinter.pretty(read(text)));
  }

  @ParameterizedTest(name = "{0} and {1}: {2}, {3}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{'10.0.0.1':{}}                | {'10.0.0.1':{}}                | true  | true",
        "{'10.0.0.1':{}}                | {'10.0.0.1':{'owner':''}}      | true  | false",
        "{'10.0.0.1':{}}                | {'10.0.0.1':{'resource':''}}   | true  | false",
        "{'10.0.0.1':{'owner':'a'}}     | {'10.0.0.1':{'owner':'b'}}     | false | false",
        "{'10.0.0.1':{'owner':'a'}}     | {'10.0.0.1':{'resource':'a'}}  | false | false",
        "{'10.0.0.1':{'resource':'a'}}  | {'10.0.0.1':{'resource':'b'}}  | false | false",
        "{'10.0.0.1':{}}                | {'10.0.0.2':{}}                | false | false",
        "{'10.0.0.1':{}}                | {'10.0.0.1':{},'10.0.0.2':{}}  | false | false",
        "{'10.0.0.1':{'owner':'a'},'10.0.0.2':{}} | {'10.0.0.2':{},'10.0.0.1':{'owner':'a'}} | true | false",
        "{'10.0.0.1':{'owner':'a'},'10.0.0.2':{}} | {'10.0.0.2':{'owner':'a'},'10.0.0.1':{}} | false | false",
        "{'10.0.0.1':{'resource':'a'},'10.0.0.2':{}} | {'10.0.0.2':{'resource':'a'},'10.0.0.1':{}} | false | false",
        "{'200.0.0.1':{'owner':'a'},'10.0.0.2':{}} | {'10.0.0.2':{},'200.0.0.1':{'owner':'a'}} | true | false"
      })
  @DisplayName("NM-J4 two maps say the same in any order, and are equal in the same one")
  void sameTables(String a, String b, boolean same, boolean equal) {
    AddressTable left = (AddressTable) map(a);
    AddressTable right = (AddressTable) map(b);
    assertThat(left.sameAs(right)).isEqualTo(same);
    assertThat(right.sameAs(left)).isEqualTo(same);
    assertThat(left.equals(right)).isEqualTo(equal);
    if (equal) {
      assertThat(left).hasSameHashCodeAs(right);
    }
    assertThat(left.equals(read(a))).as("the plain object").isFalse();
  }

  @ParameterizedTest(name = "{0} and {1}: {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "['10.0.0.1','10.0.0.2'] | ['10.0.0.1','10.0.0.2'] | true",
        "['10.0.0.1','10.0.0.2'] | ['10.0.0.2','10.0.0.1'] | true",
        "['10.0.0.1','10.0.0.1'] | ['10.0.0.1','10.0.0.2'] | false",
        "['10.0.0.1']            | ['10.0.0.1','10.0.0.1'] | false"
      })
  @DisplayName("NM-J7 two lists say the same in any order, and are equal in the same one")
  void sameLists(String a, String b, boolean same) {
    AddressList left = (AddressList) list(a);
    AddressList right = (AddressList) list(b);
    assertThat(left.sameAs(right)).isEqualTo(same);
    assertThat(right.sameAs(left)).isEqualTo(same);
    assertThat(left.equals(right)).isEqualTo(a.equals(b));
    assertThat(left).isEqualTo(list(a)).hasSameHashCodeAs(list(a));
    assertThat(left.equals(read(a))).as("the plain array").isFalse();
    assertThat(left.asArray()).as("comparing changes nothing").isEqualTo(read(a));
  }

  @Test
  @DisplayName("lists of addresses are written and read in order, IPv6 among them or not")
  void addresses() {
    for (List<String> texts :
        List.of(List.<String>of(), List.of("10.0.0.2", "10.0.0.1"), List.of("10.0.0.2", "::1"))) {
      List<IpAddress> addresses = texts.stream().map(IpAddress::parse).toList();
      JsonValue written = AddressList.of(addresses);
      assertThat(AddressList.read(written)).isEqualTo(addresses);
      assertThat(AddressList.read(written.asArray())).isEqualTo(addresses);
      assertThat(written.asArray()).isEqualTo(Members.arrayOf(texts));
    }
  }

  @Test
  @DisplayName("pools and uses of any addresses are written in address order and read back")
  void entries() {
    for (long seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      Map<IpAddress, UsedAddress> used = new HashMap<>();
      Map<String, AddressSet> pool = new HashMap<>();
      for (int i = random.nextInt(12); i > 0; i--) {
        boolean six = random.nextInt(20) == 0;
        IpAddress address =
            IpAddress.parse(
                six ? "::" + i : (random.nextInt(2) * 190 + 10) + ".0.0." + random.nextInt(9));
        String resource = random.nextInt(3) == 0 ? "" : "eni-" + random.nextInt(2);
        String owner = random.nextBoolean() ? "" : "pod-" + i;
        if (used.putIfAbsent(address, new UsedAddress(owner, resource)) == null) {
          pool.merge(resource, AddressSet.of(address), AddressSet::plus);
        }
      }
      JsonValue table = AddressTable.of(new TreeMap<>(used));
      assertThat(AddressEntriesJson.readUsed(table)).as("seed %d", seed).isEqualTo(used);
      assertThat(AddressEntriesJson.readUsed(table.asObject())).isEqualTo(used);
      assertThat(AddressEntriesJson.readAddresses(table))
          .as("seed %d", seed)
          .isEqualTo(AddressSet.copyOf(used.keySet()));
      assertInOrder(table.asObject(), seed);
      PodIpPool wanted = PodIpPool.of(pool);
      JsonValue written = AddressTable.of(wanted);
      assertThat(AddressEntriesJson.readPool(written)).as("seed %d", seed).isEqualTo(wanted);
      assertThat(AddressEntriesJson.readPool(written.asObject())).isEqualTo(wanted);
      assertInOrder(written.asObject(), seed);
      assertThat(TreePrinter.compact(written)).as("NM-J2").doesNotContain("\"\"");
      assertThat(TreePrinter.compact(table)).as("NM-J2").doesNotContain("\"\"");
      JsonValue merged = AddressEntriesJson.writePool(table, wanted);
      assertThat(AddressEntriesJson.readUsed(merged))
          .as("owners stay, seed " + seed)
          .isEqualTo(used);
    }
  }

  private static void assertInOrder(JsonObject object, long seed) {
    for (int i = 1; i < object.size(); i++) {
      assertThat(IpAddress.parse(object.key(i)))
          .as("seed %d", seed)
          .isGreaterThan(IpAddress.parse(object.key(i - 1)));
    }
  }

  @Test
  @DisplayName("NM-J1 a pool's write keeps the owners and unknown members of entries that stay")
  void merged() {
    PodIpPool wanted =
        PodIpPool.of(
            Map.of(
                "a", AddressSet.of(IpAddress.parse("10.0.0.1")),
                "", AddressSet.of(IpAddress.parse("10.0.0.2"))));
    String[][] cases = {
      {
        "{'10.0.0.2':{'owner':'x','resource':'b'},'10.0.0.3':{'owner':'y'}}",
        "{'10.0.0.1':{'resource':'a'},'10.0.0.2':{'owner':'x'}}"
      },
      {
        "{'10.0.0.2':{'later':1,'resource':'b'},'10.0.0.1':{'resource':'c','owner':'z'}}",
        "{'10.0.0.1':{'resource':'a','owner':'z'},'10.0.0.2':{'later':1}}"
      },
      {"{'10.0.0.2':{'resource':'b'}}", "{'10.0.0.1':{'resource':'a'},'10.0.0.2':{}}"},
      {"null", "{'10.0.0.1':{'resource':'a'},'10.0.0.2':{}}"}
    };
    for (String[] each : cases) {
      JsonValue old = read(each[0]);
      for (JsonValue form : List.of(old, AddressTable.compact(old.asObject()))) {
        assertThat(TreePrinter.compact(AddressEntriesJson.writePool(form, wanted)))
            .isEqualTo(each[1].replace('\'', '"'));
      }
    }
  }
}
