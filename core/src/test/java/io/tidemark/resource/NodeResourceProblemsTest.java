package io.tidemark.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.resource.ParsedResource.Invalid;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What is wrong with a document")
class NodeResourceProblemsTest {
  private static Invalid<NodeResource> refused(String text) {
    ParsedResource<NodeResource> parsed = NodeResourceJson.parse(text.replace('\'', '"'), "n.json");
    assertThat(parsed).isInstanceOf(Invalid.class);
    Invalid<NodeResource> invalid = (Invalid<NodeResource>) parsed;
    assertThat(invalid.problems())
        .allSatisfy(each -> assertThat(each.where()).startsWith("n.json"))
        .allSatisfy(each -> assertThat(each.remedy()).endsWith("."));
    return invalid;
  }

  private static String document(String spec, String status) {
    return "{'apiVersion':'cilium.io/v2','kind':'CiliumNode','metadata':{'name':'n'},'spec':"
        + spec
        + ",'status':"
        + status
        + "}";
  }

  @ParameterizedTest(name = "{0} at {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{'ipam':{'pre-allocate':-1}}           | spec.ipam.pre-allocate | is negative",
        "{'ipam':{'max-allocate':-8}}           | spec.ipam.max-allocate | the value -8 is negative",
        "{'ipam':{'pre-allocate':4294967296}}   | spec.ipam.pre-allocate | does not fit",
        "{'ipam':{'pre-allocate':1e3}}          | spec.ipam.pre-allocate | 1e3 is not a plain whole number",
        "{'ipam':{'pre-allocate':1e300000000}}  | spec.ipam.pre-allocate | not a plain whole number",
        "{'ipam':{'pre-allocate':8.5}}          | spec.ipam.pre-allocate | 8.5 is not a plain whole number",
        "{'ipam':{'pre-allocate':'8'}}          | spec.ipam.pre-allocate | the value is \"8\"",
        "{'ipam':[]}                            | spec.ipam | expected an object",
        "{'ipam':{'pool':{'10.0.0.300':{}}}}    | spec.ipam.pool[\"10.0.0.300\"] | is not an IP address",
        "{'ipam':{'pool':{'010.0.0.3':{}}}}     | spec.ipam.pool[\"010.0.0.3\"] | leading zero",
        "{'ipam':{'pool':{'10.0.0.3':7}}}       | spec.ipam.pool[\"10.0.0.3\"] | expected an object",
        "{'ipam':{'pool':{'10.0.0.3':{'resource':7}}}} | spec.ipam.pool[\"10.0.0.3\"].resource | expected a text",
        "{'ipam':{'pool':{'::1':{},'0::1':{}}}} | spec.ipam.pool[\"0::1\"] | named twice",
        "{'ipam':{'pool':{'10.0.0.3':{},'10.0.0.3':{}}}} | spec.ipam.pool[\"10.0.0.3\"] | twice in one object",
        "{'ipam':{'static-ip-tags':{'a':1}}}    | spec.ipam.static-ip-tags.a | expected a text",
        "{'ipam':{'pools':{'requested':[{'pool':'default','needed':{'ipv4-addrs':'x'}}]}}} | spec.ipam.pools.requested[0].needed.ipv4-addrs | expected a whole number",
        "{'ipam':{'pools':{'allocated':[{'pool':'p','cidrs':['10.0.0.1/28']}]}}} | spec.ipam.pools.allocated[0].cidrs[0] | is wrong",
        "{'eni':{'first-interface-index':-1}}   | spec.eni.first-interface-index | is negative",
        "{'eni':{'use-primary-address':'yes'}}  | spec.eni.use-primary-address | expected true or false",
        "{'eni':{'security-groups':[null]}}     | spec.eni.security-groups[0] | the value is null, expected a text",
        "{'eni':{'subnet-ids':['',7]}}          | spec.eni.subnet-ids[1] | the value is 7, expected a text",
        "{'eni':{'subnet-ids':{}}}              | spec.eni.subnet-ids | expected a list",
        "{'eni':{'first-interface-index':'1'}}  | spec.eni.first-interface-index | expected a whole number from 0 to 2147483647",
        "{'ipam':{'pools':{'requested':[null]}}} | spec.ipam.pools.requested[0] | the value is null, expected an object",
        "{'ipam':{'pools':{'requested':[{},{'needed':{'ipv6-addrs':-2147483649}}]}}} | spec.ipam.pools.requested[1].needed.ipv6-addrs | does not fit",
        "{'ipam':{'pools':{'allocated':[{'cidrs':['10.0.0.0/28',null]}]}}} | spec.ipam.pools.allocated[0].cidrs[1] | expected a CIDR block",
        "{'ipam':{'pools':{'allocated':[{'cidrs':'10.0.0.0/28'}]}}} | spec.ipam.pools.allocated[0].cidrs | expected a list",
        "{'instance-id':12}                     | spec.instance-id | the value is 12",
        "null                                   | spec | is missing"
      })
  @DisplayName("N2 a spec that the schema forbids is refused with its place")
  void spec(String spec, String path, String problem) {
    List<ResourceProblem> problems = refused(document(spec, "{}")).problems();
    assertThat(problems).hasSize(1);
    assertThat(problems.get(0).path()).isEqualTo(path);
    assertThat(problems.get(0).problem()).contains(problem);
  }

  @ParameterizedTest(name = "{0} at {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{'ipam':{'used':{'pod-1':{}}}} | status.ipam.used.pod-1 | is not an IP address",
        "{'ipam':{'release-ips':{'10.0.0.3':'released-for-good'}}} | status.ipam.release-ips[\"10.0.0.3\"] | expected one of",
        "{'ipam':{'release-ips':['10.0.0.3']}} | status.ipam.release-ips | the value is a list",
        "{'eni':{'enis':{'eni-a':{'ip':'10.0.0'}}}} | status.eni.enis.eni-a.ip | fewer than four",
        "{'eni':{'enis':{'eni-a':{'addresses':['10.0.0.1','']}}}} | status.eni.enis.eni-a.addresses[1] | expected an IP address",
        "{'eni':{'enis':{'eni-a':{'number':1.5}}}} | status.eni.enis.eni-a.number | not a plain whole",
        "{'eni':{'enis':{'eni-a':{'prefixes':['10.0.0.0/33']}}}} | status.eni.enis.eni-a.prefixes[0] | is wrong",
        "{'eni':{'enis':{'eni-a':[]}}} | status.eni.enis.eni-a | expected an object",
        "{'eni':{'enis':{'eni-a':{'addresses':['10.0.0.1',7]}}}} | status.eni.enis.eni-a.addresses[1] | the value is 7, expected an IP address",
        "{'eni':{'enis':{'eni-a':{'addresses':['10.0.0.1','10.0.0.256']}}}} | status.eni.enis.eni-a.addresses[1] | \"10.0.0.256\" is wrong",
        "{'eni':{'enis':{'eni-a':{'number':'1'}}}} | status.eni.enis.eni-a.number | expected a whole number of 32 bits",
        "{'eni':{'enis':{'eni-a':{'subnet':{'cidr':7}}}}} | status.eni.enis.eni-a.subnet.cidr | expected a CIDR block",
        "{'ipam':{'release-ips':{'10.0.0.3':''}}} | status.ipam.release-ips[\"10.0.0.3\"] | expected one of",
        "{'ipam':{'release-ips':{'::1':'released','0:0::1':'released'}}} | status.ipam.release-ips[\"0:0::1\"] | named twice",
        "{'later':[{'a':[0,{'b':1,'b':2}]}]} | status.later[0].a[1].b | twice in one object",
        "{'azure':[]} | status.azure | expected an object"
      })
  @DisplayName("a status with values that are none is refused with its place")
  void status(String status, String path, String problem) {
    List<ResourceProblem> problems = refused(document("{}", status)).problems();
    assertThat(problems).hasSize(1);
    assertThat(problems.get(0).path()).isEqualTo(path);
    assertThat(problems.get(0).problem()).contains(problem);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{'ipam':{'pre-allocate':2147483647,'min-allocate':0,'pool':null,'pools':{'requested':null}}}",
        "{'ipam':{'pool':{'10.0.0.1':null,'::1':{'owner':null}},'static-ip-tags':{'a':null}}}",
        "{'ipam':{'pools':{'requested':[{'needed':{'ipv4-addrs':-2147483648,'ipv6-addrs':2147483647}}]}}}",
        "{'ipam':{'pools':{'allocated':[{'cidrs':['10.0.0.0/28','2001:db8::/80']}]}}}",
        "{'eni':{'first-interface-index':2147483647,'use-primary-address':null,'subnet-ids':['']}}",
        "{'instance-id':''}"
      })
  @DisplayName("NM-J2 extreme values, null and the empty text are taken, and printed as they were")
  void taken(String spec) {
    NodeResource node = TestResources.node(spec, "{}");
    assertThat(NodeResourceJson.print(node)).contains("\"spec\":" + spec.replace('\'', '"'));
  }

  @Test
  @DisplayName("an empty text stands for no address and no block, outside of lists")
  void emptyAddress() {
    String text = "{'ip':'','public-ip':'','subnet':{'cidr':''},'vpc':{'primary-cidr':''}}";
    NodeResource node = TestResources.node("{}", "{'eni':{'enis':{'e':" + text + "}}}");
    assertThat(node.eniStatus().orElseThrow().enis().values())
        .singleElement()
        .satisfies(
            eni -> {
              assertThat(eni.ip()).isEmpty();
              assertThat(eni.publicIp()).isEmpty();
              assertThat(eni.subnet().cidr()).isEmpty();
              assertThat(eni.vpc().primaryCidr()).isEmpty();
            });
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "node-a.b_c:d9, true",
    "AZaz09, true",
    "a`b, false",
    "a{b, false",
    "a@b, false",
    "a[b, false",
    "a/b, false",
    "a;b, false",
    "a^b, false",
    "caf\u00e9, false",
    "a b, false"
  })
  @DisplayName("a name has letters, digits and a few signs")
  void characters(String name, boolean taken) {
    assertThat(named(name) instanceof ParsedResource.Valid<NodeResource>).isEqualTo(taken);
  }

  @Test
  @DisplayName("a name has up to 253 characters, and a refused one is not told as the name")
  void nameLength() {
    assertThat(named("n".repeat(253))).isInstanceOf(ParsedResource.Valid.class);
    Invalid<NodeResource> invalid = (Invalid<NodeResource>) named("n".repeat(254));
    assertThat(invalid.name()).isEmpty();
    assertThat(invalid.problems()).singleElement().extracting("path").isEqualTo("metadata.name");
    assertThat(((Invalid<NodeResource>) named("")).name()).isEmpty();
    assertThat(refused(document("{'ipam':7}", "{}")).name()).contains("n");
  }

  private static ParsedResource<NodeResource> named(String name) {
    String text = document("{}", "{}").replace("{'name':'n'}", "{'name':'" + name + "'}");
    return NodeResourceJson.parse(text.replace('\'', '"'), "n.json");
  }

  @Test
  @DisplayName("of an object of another kind only the head is looked at")
  void otherKind() {
    String text = document("{'ipam':7}", "{}");
    assertThat(refused(text.replace("CiliumNode", "Node")).problems()).hasSize(1);
    assertThat(refused(text.replace("'CiliumNode'", "7")).problems())
        .extracting(ResourceProblem::path)
        .contains("kind", "spec.ipam");
  }

  @ParameterizedTest(name = "text {0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "[]                                      | ''            | the document is a list",
        "{'kind':'CiliumNode','metadata':{'name':'n'},'spec':{}} | apiVersion | missing",
        "{'apiVersion':'cilium.io/v1','kind':'CiliumNode','metadata':{'name':'n'},'spec':{}} | apiVersion | \"cilium.io/v1\"",
        "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'n'},'data':{}} | kind | \"ConfigMap\"",
        "{'apiVersion':7,'kind':'CiliumNode','metadata':{'name':'n'},'spec':{}} | apiVersion | expected a text",
        "{'apiVersion':'cilium.io/v2','kind':'CiliumNode','spec':{}} | metadata.name | missing",
        "{'apiVersion':'cilium.io/v2','kind':'CiliumNode','metadata':{'name':7},'spec':{}} | metadata.name | the value is 7",
        "{'apiVersion':'cilium.io/v2','kind':'CiliumNode','metadata':{'name':'a/b c'},'spec':{}} | metadata.name | not a valid Kubernetes name",
        "{'apiVersion':'cilium.io/v2','kind':'CiliumNode','metadata':[],'spec':{}} | metadata | the value is a list",
        "{'apiVersion':'cilium.io/v2',           | ''            | not valid JSON",
        "{} {}                                   | ''            | more text after the end",
        "not json                                | ''            | not valid JSON",
        "''                                      | ''            | empty"
      })
  @DisplayName("a document that is no CiliumNode is refused")
  void head(String text, String path, String problem) {
    List<ResourceProblem> problems = refused(text).problems();
    assertThat(problems)
        .anySatisfy(
            each -> {
              assertThat(each.path()).isEqualTo(path);
              assertThat(each.problem()).contains(problem);
            });
  }

  @Test
  @DisplayName("all problems are told at once, with the name when it is known")
  void allAtOnce() {
    Invalid<NodeResource> invalid =
        refused(
            document(
                "{'ipam':{'pre-allocate':-1,'max-allocate':'many'},'eni':{'vpc-id':3}}",
                "{'ipam':{'used':{'x':{},'10.0.0.1':{'owner':{}}}}}"));
    assertThat(invalid.name()).contains("n");
    assertThat(invalid.problems())
        .extracting(ResourceProblem::path)
        .containsExactlyInAnyOrder(
            "spec.ipam.pre-allocate",
            "spec.ipam.max-allocate",
            "spec.eni.vpc-id",
            "status.ipam.used.x",
            "status.ipam.used[\"10.0.0.1\"].owner");
  }

  @Test
  @DisplayName("thousands of problems are cut to a bounded list that says how many more there are")
  void boundedList() {
    StringBuilder pool = new StringBuilder();
    for (int i = 0; i < 5_000; i++) {
      pool.append(i == 0 ? "" : ",").append("'x").append(i).append("':{}");
    }
    List<ResourceProblem> problems =
        refused(document("{'ipam':{'pool':{" + pool + "}}}", "{}")).problems();
    assertThat(problems).hasSize(101);
    assertThat(problems.get(100).problem()).isEqualTo("there are 4900 more problems");
  }

  @Test
  @DisplayName("a broken text is told with its line")
  void line() {
    List<ResourceProblem> problems =
        refused("{'apiVersion':'cilium.io/v2',\n 'kind':'CiliumNode',\n 'spec':{,}}").problems();
    assertThat(problems).hasSize(1);
    assertThat(problems.get(0).where()).isEqualTo("n.json:3");
  }

  @Test
  @DisplayName("a text may be as deep and as long as the bounds say, and no more")
  void bounds() {
    String deep = "[".repeat(101) + "]".repeat(101);
    assertThat(refused(document("{'x':" + deep + "}", "{}")).problems().get(0).problem())
        .contains("nesting depth");
    String within = document("{'x':" + deep.substring(3, 199) + "}", "{}").replace('\'', '"');
    String longest = within + " ".repeat(NodeResourceJson.LENGTH_MAX - within.length());
    assertThat(NodeResourceJson.parse(longest, "n.json")).isInstanceOf(ParsedResource.Valid.class);
    assertThat(refused(longest + " ").problems())
        .singleElement()
        .satisfies(each -> assertThat(each.problem()).contains("more than 16777216"));
  }

  @Test
  @DisplayName("a text is read without its byte order mark")
  void mark() {
    String text = "\ufeff" + document("{'note':'\u00fc'}", "{}").replace('\'', '"');
    ParsedResource<NodeResource> parsed = NodeResourceJson.parse(text, "n.json");
    assertThat(parsed.match(NodeResourceJson::print, Object::toString)).contains("\u00fc");
  }
}
