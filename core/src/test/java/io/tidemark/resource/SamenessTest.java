package io.tidemark.resource;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Two objects say the same")
class SamenessTest {
  @ParameterizedTest(name = "{0} and {1}: {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{}                          | {'ipam':{}}                        | true",
        "{}                          | {'ipam':{'pool':{},'pools':{}}}    | true",
        "{'ipam':{'pool':null}}      | {'ipam':{'pool':{}}}               | true",
        "{'ipam':{'pool':{}}}        | {'ipam':{'pool':{'10.0.0.1':{}}}}  | false",
        "{'ipam':{'pre-allocate':0}} | {}                                 | true",
        "{'ipam':{'pre-allocate':8}} | {'ipam':{'pre-allocate':9}}        | false",
        "{'eni':{}}                  | {}                                 | true",
        "{'eni':{'vpc-id':''}}       | {}                                 | true",
        "{'eni':{'security-groups':[]}}        | {'eni':{}}               | true",
        "{'eni':{'subnet-tags':{'a':''}}}      | {'eni':{}}               | false",
        "{'eni':{'first-interface-index':0}}   | {'eni':{}}               | false",
        "{'eni':{'use-primary-address':false}} | {'eni':{}}               | false",
        "{'unknown':{}}              | {'unknown':[]}                     | true",
        "{'unknown':{'a':{}}}        | {}                                 | false",
        "{'unknown':''}              | {}                                 | false",
        "{'unknown':0}               | {}                                 | false",
        "{'unknown':1.0}             | {'unknown':1}                      | true",
        "{'unknown':{'a':1,'b':2}}   | {'unknown':{'b':2,'a':1}}          | true",
        "{'ipam':{'pool':{'10.0.0.1':{'resource':'a','owner':''}}}} | {'ipam':{'pool':{'10.0.0.1':{'resource':'a'}}}} | true",
        "{'ipam':{'pool':{'10.0.0.1':{'resource':'a','x':1}}}}      | {'ipam':{'pool':{'10.0.0.1':{'resource':'a'}}}} | false",
        "{'ipam':{'pool':{'10.0.0.1':{'resource':'a'}}}}            | {'ipam':{'pool':{'10.0.0.1':{'resource':'b'}}}} | false",
        "{'ipam':{'pool':{'10.0.0.1':{},'10.0.0.2':{}}}}            | {'ipam':{'pool':{'10.0.0.2':{},'10.0.0.1':{}}}} | true",
        "{'ipam':{'pool':{'10.0.0.1':{},'10.0.0.2':{}}}}            | {'ipam':{'pool':{'10.0.0.1':{},'10.0.0.3':{}}}} | false",
        "{'ipam':{'pool':{'10.0.0.1':{}}}}                          | {'ipam':{'pool':{'10.0.0.1':{},'10.0.0.3':{}}}} | false"
      })
  @DisplayName("NM-J4 absent equals empty, wherever a key says nothing by itself")
  void absentAndEmpty(String a, String b, boolean same) {
    NodeResource left = TestResources.node(a, "{}");
    NodeResource right = TestResources.node(b, "{}");
    assertThat(left.sameSpec(right)).isEqualTo(same);
    assertThat(right.sameSpec(left)).isEqualTo(same);
    assertThat(left.sameStatus(right)).isTrue();
  }

  @ParameterizedTest(name = "{0} and {1}: {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{'k':[{'a':1,'b':{}}]}      | {'k':[{'a':1}]}          | true",
        "{'k':[{'a':1,'b':0}]}       | {'k':[{'a':1}]}          | false",
        "{'k':[1]}                   | {'k':[1,1]}              | false",
        "{'k':[1]}                   | {'k':[2]}                | false",
        "{'k':[1]}                   | {'k':{'a':1}}            | false",
        "{'k':{'a':1}}               | {'k':'a'}                | false",
        "{'k':'1'}                   | {'k':1}                  | false",
        "{'k':true}                  | {'k':false}              | false",
        "{'k':{'a':1,'b':2}}         | {'k':{'a':1,'c':2}}      | false",
        "{'k':{'a':1,'b':2}}         | {'k':{'b':2}}            | false",
        "{'k':{'a':null,'b':2}}      | {'k':{'b':2}}            | true",
        "{'k':{'b':2}}               | {'k':{'c':{},'b':2}}     | true",
        "{'k':{'b':2}}               | {'k':{'c':7,'b':2}}      | false"
      })
  @DisplayName("NM-J4 in parts of unknown shape, with many members beside them or none")
  void unknownParts(String a, String b, boolean same) {
    StringBuilder beside = new StringBuilder();
    for (int members = 0; members <= 18; members++) {
      for (String[] each : new String[][] {{a, b}, {inner(a), inner(b)}}) {
        NodeResource left = TestResources.node(joined("", each[0], beside), "{}");
        NodeResource right = TestResources.node(joined(beside.toString(), each[1], ""), "{}");
        assertThat(left.sameSpec(right)).as(left + " and %s", right).isEqualTo(same);
        assertThat(right.sameSpec(left)).as(right + " and %s", left).isEqualTo(same);
      }
      beside.append(beside.length() == 0 ? "" : ",").append("'m" + members + "':" + members);
    }
  }

  /** The members of the object behind the only key. */
  private static String inner(String object) {
    return object.startsWith("{'k':{") ? object.substring(5, object.length() - 1) : object;
  }

  private static String joined(CharSequence before, String object, CharSequence after) {
    String members = object.substring(1, object.length() - 1);
    return "{"
        + before
        + (before.length() == 0 ? "" : ",")
        + members
        + (after.length() == 0 ? "" : ",")
        + after
        + "}";
  }

  @ParameterizedTest(name = "{0} and {1}: {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{'::1':'released'}               | {'0:0::1':'released'}            | true",
        "{'::1':'released'}               | {'0:0::2':'released'}            | false",
        "{'::1':'released'}               | {'::0:1':'released'}             | true",
        "{'::1':'released','10.0.0.1':'do-not-release'} | {'10.0.0.1':'do-not-release','0::1':'released'} | true",
        "{'::1':'released'}               | {'0::1':'do-not-release'}        | false",
        "{'10.0.0.1':'released'}          | {'10.0.0.1':null}                | false",
        "{'10.0.0.1':null}                | {'10.0.0.2':null}                | false",
        "{'10.0.0.1':null}                | {'10.0.0.1':null}                | true",
        "{'10.0.0.1':null}                | {}                               | false"
      })
  @DisplayName("NM-J4 marks are compared by address, and a key counts even without a value")
  void marks(String a, String b, boolean same) {
    NodeResource left = TestResources.node("{}", "{'ipam':{'release-ips':" + a + "}}");
    NodeResource right = TestResources.node("{}", "{'ipam':{'release-ips':" + b + "}}");
    assertThat(left.sameStatus(right)).isEqualTo(same);
    assertThat(right.sameStatus(left)).isEqualTo(same);
  }

  @Test
  @DisplayName("NM-J4 an interface without content differs from no interface")
  void emptyInterface() {
    NodeResource none = TestResources.node("{}", "{'eni':{'enis':{}}}");
    NodeResource one = TestResources.node("{}", "{'eni':{'enis':{'eni-a':{}}}}");
    assertThat(none.sameStatus(one)).isFalse();
    assertThat(none.sameStatus(TestResources.node("{}", "{}"))).isTrue();
  }

  @Test
  @DisplayName("large objects are compared in time that grows with their size")
  void largeObjects() {
    StringBuilder ascending = new StringBuilder();
    StringBuilder descending = new StringBuilder();
    for (int i = 0; i < 50_000; i++) {
      ascending.append(i == 0 ? "" : ",").append("'k").append(i).append("':").append(i);
      int j = 49_999 - i;
      descending.append(i == 0 ? "" : ",").append("'k").append(j).append("':").append(j);
    }
    NodeResource left = TestResources.node("{'unknown':{" + ascending + "}}", "{}");
    NodeResource right = TestResources.node("{'unknown':{" + descending + "}}", "{}");
    assertThat(left.sameSpec(right)).isTrue();
    assertThat(left.sameSpec(TestResources.node("{'unknown':{'k0':0}}", "{}"))).isFalse();
  }
}
