package io.tidemark.resource;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("NM-J1 unknown members survive a write of the object that they stand in")
class UnknownMembersTest {
  private static final String STATUS =
      """
      {'eni':{'x-eni':1,'enis':{'eni-a':{
        'id':'eni-a','ip':'10.0.0.1','mac':'m','availability-zone':'z','description':'d',
        'number':1,'x-interface':[1.0],
        'subnet':{'id':'s','cidr':'10.0.0.0/24','x-subnet':{'a':1}},
        'vpc':{'id':'v','primary-cidr':'10.0.0.0/16','cidrs':['10.1.0.0/16'],'x-vpc':'kept'},
        'addresses':['10.0.0.2'],'prefixes':['10.0.0.16/28'],'ipv6-prefixes':['2001:db8::/80'],
        'public-ip':'192.0.2.1','security-groups':['sg'],'tags':{'k':'v'}}}}}
      """;

  private static final String SPEC =
      """
      {'ipam':{'x-ipam':1,'pools':{'x-pools':2,
        'requested':[
          {'pool':'other','x-other':true,'needed':{'ipv4-addrs':1,'x-other-needed':4}},
          {'pool':'default','x-requested':3,'needed':{'ipv4-addrs':5,'ipv6-addrs':6,'x-needed':{}}}],
        'allocated':[
          {'pool':'default','x-allocated':null,'cidrs':['10.0.0.0/28','10.0.0.16/28']}]},
        'pool':{'10.0.0.2':{'resource':'eni-a','x-entry':[]}}}}
      """;

  private static final List<String> STATUS_MEMBERS =
      List.of("'x-eni':1", "'x-interface':[1.0]", "'x-subnet':{'a':1}", "'x-vpc':'kept'");

  private static final List<String> SPEC_MEMBERS =
      List.of(
          "'x-ipam':1",
          "'x-pools':2",
          "'x-other':true",
          "'x-other-needed':4",
          "'x-requested':3",
          "'x-needed':{}",
          "'x-allocated':null",
          "'x-entry':[]");

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "'ip':'10.0.0.1'                  | 'ip':''",
        "'mac':'m'                        | 'mac':'n'",
        "'availability-zone':'z'          | 'availability-zone':'y'",
        "'description':'d'                | 'description':''",
        "'number':1                       | 'number':0",
        "'subnet':{'id':'s'               | 'subnet':{'id':'t'",
        "'cidr':'10.0.0.0/24'             | 'cidr':'10.2.0.0/16'",
        "'vpc':{'id':'v'                  | 'vpc':{'id':'w'",
        "'primary-cidr':'10.0.0.0/16'     | 'primary-cidr':'10.2.0.0/16'",
        "'cidrs':['10.1.0.0/16']          | 'cidrs':[]",
        "'addresses':['10.0.0.2']         | 'addresses':['10.0.0.9']",
        "'prefixes':['10.0.0.16/28']      | 'prefixes':[]",
        "'ipv6-prefixes':['2001:db8::/80'] | 'ipv6-prefixes':[]",
        "'public-ip':'192.0.2.1'          | 'public-ip':''",
        "'security-groups':['sg']         | 'security-groups':[]",
        "'tags':{'k':'v'}                 | 'tags':{}"
      })
  void ofAnInterface(String from, String to) {
    NodeResource node = TestResources.node("{}", STATUS);
    assertThat(STATUS).containsOnlyOnce(from);
    EniStatus wanted = TestResources.node("{}", STATUS.replace(from, to)).eniStatus().orElseThrow();
    assertThat(node.eniStatus().orElseThrow()).isNotEqualTo(wanted);
    NodeResource written = node.withEniStatus(wanted);
    assertThat(written.eniStatus()).contains(wanted);
    assertThat(quoted(written)).contains(STATUS_MEMBERS);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "'ipv4-addrs':5                            | 'ipv4-addrs':7",
        "'ipv4-addrs':5,'ipv6-addrs':6             | 'ipv4-addrs':0,'ipv6-addrs':0",
        "['10.0.0.0/28','10.0.0.16/28']            | ['10.0.0.0/28']",
        "['10.0.0.0/28','10.0.0.16/28']            | []"
      })
  void ofDemandAndBlocks(String from, String to) {
    NodeResource node = TestResources.node(SPEC, "{}");
    assertThat(SPEC).containsOnlyOnce(from);
    IpamSpec wanted = TestResources.node(SPEC.replace(from, to), "{}").ipam();
    NodeResource written = node.withIpam(wanted);
    assertThat(written.ipam()).isEqualTo(wanted);
    assertThat(written.sameSpec(node)).isFalse();
    assertThat(quoted(written)).contains(SPEC_MEMBERS);
  }

  private static String quoted(NodeResource node) {
    return NodeResourceJson.print(node).replace('"', '\'');
  }
}
