package io.tidemark.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.Samples;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("NM-S3 Fields that the server drops are left out of later writes")
class PrunedFieldsTest {
  private static NodeResource node(String rest) {
    return node(rest, "");
  }

  private static NodeResource node(String rest, String metadata) {
    String text =
        """
        {"apiVersion":"cilium.io/v2","kind":"CiliumNode","metadata":{"name":"n1"%s},%s}
        """
            .formatted(metadata, rest)
            .replace('\'', '"');
    return Samples.parsed(text);
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'ipam':{'assigned-static-ip':'10.0.0.1'}}            | {'ipam':{}}             | status.ipam.assigned-static-ip",
        "{'ipam':{'assigned-static-ip':'10.0.0.1'}}            | {}                      | status.ipam",
        "{'eni':{'enis':{'e1':{'id':'e1','public-ip':'1.2.3.4'}}}} | {'eni':{'enis':{'e1':{'id':'e1'}}}} | status.eni.enis.*.public-ip",
        "{'new':{'a':1}}                                       | {}                      | status.new",
        "{'azure':{'interfaces':[{'id':'n','ip':'10.0.0.4'}]}} | {'azure':{'interfaces':[{'id':'n'}]}} | status.azure.interfaces.*.ip",
        "{'azure':{'interfaces':[{'addresses':[{'ip':'10.0.0.5','state':'s'}]}]}} | {'azure':{'interfaces':[{'addresses':[{'ip':'10.0.0.5'}]}]}} | status.azure.interfaces.*.addresses.*.state",
        "{'new':{'a':1,'b':[{'c':1},{'d':2}]}}                 | {'new':{'a':1,'b':[{'c':1},{}]}} | status.new.b.*.d",
        "{'eni':{'enis':{'e1':{'id':'e1','vpc':{'id':'v','x':1}}}}} | {'eni':{'enis':{'e1':{'id':'e1','vpc':{'id':'v'}}}}} | status.eni.enis.*.vpc.x",
      })
  @DisplayName("what came back without a field tells which one")
  void learned(String sent, String stored, String path) {
    NodeResource before = node("'spec':{},'status':" + sent);
    NodeResource after = node("'spec':{},'status':" + stored);
    PrunedFields pruned = PrunedFields.ofStatus(before, after);
    assertThat(pruned.paths()).containsExactly(path);
    assertThat(pruned.takenFrom(before).sameStatus(after)).isTrue();
  }

  @Test
  @DisplayName("a status that is dropped as a whole tells its parts, and which agents need")
  void wholeStatus() {
    NodeResource sent =
        node("'spec':{},'status':{'ipam':{'release-ips':{'10.0.0.1':'released'}},'new':{'a':1}}");
    PrunedFields pruned = PrunedFields.ofStatus(sent, node("'spec':{}"));
    assertThat(pruned.paths()).containsExactly("status.ipam", "status.new");
    assertThat(pruned.essential()).containsExactly("status.ipam");
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'eni':{'enis':{'e1':{'id':'e1'}}}}                   | {'eni':{'enis':{}}}",
        "{'ipam':{'used':{'10.0.0.1':{'owner':'a'}}}}           | {'ipam':{'used':{}}}",
        "{'ipam':{'used':{}},'eni':{}}                          | {}",
        "{'ipam':{'used':{'10.0.0.1':{'owner':'a'}}}}           | {'ipam':{'used':{'10.0.0.1':{}}}}",
        "{'new':[{'a':1},{'b':1}]}                              | {'new':[{}]}",
        "{'new':{'a':1}}                                        | {'new':{'a':2}}",
        "{'new':{'a':1}}                                        | {'new':7}",
        "{}                                                     | {'new':{'a':1}}",
      })
  @DisplayName("data that differs, and what says nothing, is no dropped field")
  void notPruned(String sent, String stored) {
    NodeResource before = node("'spec':{},'status':" + sent);
    NodeResource after = node("'spec':{},'status':" + stored);
    assertThat(PrunedFields.ofStatus(before, after).isEmpty()).isTrue();
  }

  @Test
  @DisplayName("a later object loses the field wherever it stands, and nothing else")
  void later() {
    PrunedFields pruned =
        PrunedFields.ofStatus(
            node("'spec':{},'status':{'eni':{'enis':{'e1':{'id':'e1','public-ip':'1.2.3.4'}}}}"),
            node("'spec':{},'status':{'eni':{'enis':{'e1':{'id':'e1'}}}}"));
    NodeResource later =
        node(
            "'spec':{'x':{'public-ip':'1.1.1.1'}},'status':{'eni':{'enis':{"
                + "'e2':{'id':'e2','public-ip':'5.6.7.8'},'e3':{'id':'e3'}}}}");
    NodeResource left = pruned.takenFrom(later);
    assertThat(NodeResourceJson.print(left))
        .contains("\"x\":{\"public-ip\":\"1.1.1.1\"}")
        .contains("\"e3\"")
        .doesNotContain("5.6.7.8");
    assertThat(left.eniStatus()).isPresent();
  }

  @Test
  @DisplayName("an object without such fields stays the very same")
  void untouched() {
    NodeResource node = node("'spec':{},'status':{'ipam':{}}");
    assertThat(PrunedFields.NONE.takenFrom(node)).isSameAs(node);
    PrunedFields pruned =
        PrunedFields.ofSpec(node("'spec':{'a':{'b':1}}"), node("'spec':{'a':{}}"));
    assertThat(pruned.paths()).containsExactly("spec.a.b");
    assertThat(pruned.takenFrom(node)).isEqualTo(node);
  }

  @Test
  @DisplayName("a field of list elements goes from every element")
  void ofElements() {
    String spec = "'spec':{'ipam':{'pools':{'requested':[%s]}}}";
    NodeResource sent = node(spec.formatted("{'pool':'a','later':1},{'pool':'b','later':2}"));
    NodeResource stored = node(spec.formatted("{'pool':'a'},{'pool':'b'}"));
    PrunedFields pruned = PrunedFields.ofSpec(sent, stored);
    assertThat(pruned.paths()).containsExactly("spec.ipam.pools.requested.*.later");
    assertThat(NodeResourceJson.print(pruned.takenFrom(sent)))
        .isEqualTo(NodeResourceJson.print(stored));
    assertThat(pruned.takenFrom(stored)).isSameAs(stored);
  }

  @Test
  @DisplayName("a field whose name begins as a dropped one does stays")
  void likeNames() {
    PrunedFields pruned = PrunedFields.ofSpec(node("'spec':{'a':{'b':1}}"), node("'spec':{}"));
    assertThat(NodeResourceJson.print(pruned.takenFrom(node("'spec':{'ab':{'b':1},'a':7}"))))
        .contains("\"spec\":{\"ab\":{\"b\":1}}");
  }

  @Test
  @DisplayName("what was learned adds up")
  void union() {
    NodeResource none = node("'spec':{}");
    PrunedFields a = PrunedFields.ofSpec(node("'spec':{'a':1}"), none);
    PrunedFields b = PrunedFields.ofSpec(node("'spec':{'b':1}"), none);
    PrunedFields both = PrunedFields.ofSpec(node("'spec':{'b':1,'a':1}"), none);
    assertThat(a.and(b)).isEqualTo(both).hasSameHashCodeAs(both).isNotEqualTo(a);
    assertThat(both.paths()).containsExactly("spec.a", "spec.b");
    assertThat(both).hasToString("[spec.a, spec.b]");
    assertThat(both.and(a)).isSameAs(both);
    assertThat(both.and(PrunedFields.NONE)).isSameAs(both);
    assertThat(PrunedFields.NONE.and(both)).isEqualTo(both);
    assertThat(both.isEmpty()).isFalse();
  }

  @Test
  @DisplayName("the newest other writer of the pool is read from managedFields, which are not kept")
  void managedFields() {
    String entry =
        "{'manager':'%s','operation':'Update','time':'%s','fieldsV1':{'f:spec':{'f:ipam':{%s}}}}";
    String pool = "'f:pool':{'f:10.0.0.1':{}}";
    String fields =
        String.join(
            ",",
            List.of(
                entry.formatted("agent", "2026-01-03T00:00:00Z", "'f:pre-allocate':{}"),
                entry.formatted("old", "2026-01-01T00:00:00Z", pool),
                entry.formatted("new", "2026-01-02T00:00:00Z", pool)));
    NodeResource node = node("'spec':{},'status':{}", ",'managedFields':[" + fields + "]");
    assertThat(node.writesSeenBy("us").other()).contains("new");
    assertThat(node.writesSeenBy("old").other()).contains("new");
    assertThat(node.writesSeenBy("new").other()).as("we wrote after it").isEmpty();
    assertThat(node.writesSeenBy("agent").other()).as("which has no part of it").contains("new");
    assertThat(NodeResourceJson.print(node.withoutManagedFields())).doesNotContain("managed");
    assertThat(node("'spec':{}").writesSeenBy("us")).isEqualTo(LastWriter.UNKNOWN);
  }
}
