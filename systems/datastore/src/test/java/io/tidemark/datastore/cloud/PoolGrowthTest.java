package io.tidemark.datastore.cloud;

import io.tidemark.datastore.cloud.CloudAnswer.Reason;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

@DisplayName("A node that asks the cloud for more")
class PoolGrowthTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          A node of an unknown type of instance gets its IPv6 prefix all the same \
            | blocks 1 1 3x2; ipv6; limits unknown; start; 1s; add a = 2001:db8::; \
              calls assign = assign eni-0 1
          D122 An IPv6 prefix whose answer was lost is found by a read, also by one that lags \
            | blocks 1 1 3x2; ipv6; lose assign answer 5ms; start; 1s; lags 29s; 3m; \
              calls assign = assign eni-0 1; asInCloud = 1; add a = 2001:db8::
          D122 An IPv6 prefix whose request was lost is asked for again after a late read \
            | blocks 1 1 3x2; ipv6; lose assign request; start; 45s; count assign = 1; 1m; \
              count assign = 2; size = 1
          D45 Of several IPv6 prefixes the first is used, all are kept, and a pod keeps its \
            own \
            | blocks 1 1 3x2; ipv6; gives6; gives6; start; 1m; add a b = 2001:db8:: 2001:db8::1; \
              restart; 10m; add b c = 2001:db8::1 2001:db8::2; calls unassign = none; \
              calls assign = none; cloud = 2001:db8::/80 2001:db8:0:0:1::/80
          D97 When the subnet is full nothing more is asked for in the next 120 s, and then \
            fewer \
            | node 2 0; refuse SUBNET_FULL; start; 119s; count assign = 1; add a = EMPTY; 7s; \
              calls assign = assign eni-0 2, assign eni-0 1, assign eni-0 1; size = 2
          D97 A cloud that goes on refusing is asked less and less often, up to 120 s \
            | node 1 0; refuse OTHER 1000; start; 60m; between assign 30 90; \
              problem = refused: OTHER; refuseNothing; 126s; size = 1; problem = none
          D98 When many at once are refused one is asked for \
            | node 5 0; refuse OTHER; start; 1s; \
              calls assign 2 = assign eni-0 5, assign eni-0 1; 1m; size = 5; node 9 0 5x2; \
              slow create 0s 0s; start; 1s; refuse OTHER; 1m; size = 9
          D122 While the cloud limits requests it is asked no more often, and cooldowns hold \
            | node 5 0; refuse UNAVAILABLE; start; 900ms; calls assign = assign eni-0 5; \
              canGrow = true; 1m; calls assign = assign eni-0 5, assign eni-0 5; size = 5
          D98 An interface that is full is no failure: what it has is read and taken up \
            | node 2 10; start; others add 0 10; 10s; count assign = 1; count read = 2; \
              size = 10; calls create = none
          D122 After a lost answer the cloud is read, and what it gave is taken up \
            | node 3 0; lose assign answer 5ms; start; 29s; count assign = 1; count read = 2; \
              asInCloud = 3
          D122 A request that never arrived is repeated after the read \
            | node 3 0; lose assign request; start; 29s; \
              calls = read, assign eni-0 3, read, assign eni-0 3; size = 3
          D122 While the cloud cannot be read after a lost answer nothing is asked for \
            | node 3 0; lose assign request; start; reads fail; 10m; count assign = 1; reads; \
              2m; size = 3
          D103 With a minimum alone the node grows when a pod waits \
            | node 0 2; start; 1m; add a b = 4 5; 1m; size = 2; add c = ALL_ASSIGNED; 1s; \
              add c = 6; 1m; size = 3
          D104 A node whose addresses all cool grows at once \
            | node 0 2; start; 1m; add a b = 4 5; del a b; add c = ALL_COOLING; 1s; add c = 6
          D108 An address that cools is assigned only while the node can get no others \
            | node 0 1; room 1; start; 1m; add a = 4; del a; 40s; add b = ALL_COOLING; 1s; \
              canGrow = false; add b = 4; del b; room 5; 125s; add c = ALL_COOLING; 1s; \
              add c = 5
          D108 A node that has as many addresses as it can have pods cannot grow \
            | node 0 1; maxPods 1; restart; 1m; add a = 4; del a; 40s; add b = 4; \
              count assign = 1
          D96 Interfaces of others take a place, and nothing else \
            | node 9 0 3x3; others attach unmanaged; others add 1 2; start; 1m; \
              enis = 0:3/0 2:3/0; count create = 1; canGrow = false
          """)
  void story(String name, String story) {
    LoopStory.run(story);
  }

  @ParameterizedTest(name = "D97 {0} is no full subnet")
  @EnumSource(mode = Mode.EXCLUDE, names = "SUBNET_FULL")
  void otherRefusals(Reason reason) {
    LoopStory.run("node 1 0; refuse " + reason + "; start; 10s; size = 1");
  }
}
