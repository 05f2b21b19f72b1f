package io.tidemark.provider.azure.ipam;

import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

@DisplayName("Writes whose end is not known (Z15-Z20)")
class DoubtTest {
  @TestFactory
  Stream<DynamicTest> stories() {
    return AzureStory.all(
        "cloud operation: 20s; ",
        """
        AZ-N22 an answer that was lost while the operation runs: allocated once, exactly
          on; fault lose-answer write times=1; add 7; has 7; azure 7; writes 1; free
        AZ-N23 a write that never arrived: no further one before the horizon, then one
          on; fault lose-request write times=1; allocate 7 Unknown; blocked READING_BACK; 30s;
          sync Failed; resyncOlder; blocked READING_BACK; 31s; sync; add 7; azure 7; writes 2
        AZ-N24 a write that arrives after our next one is refused, and nothing is doubled
          on; keep; allocate 7 Unknown; 61s; sync ?; add 7 as seven; 1m; deliver 412; 1m; sync ?;
          has seven; azure 7
        AZ-N24 one that arrives before the horizon is seen, and is what was wanted
          on; keep; allocate 7 Unknown; 5s; deliver 2..; 30s; sync ?; 61s; sync ?; has 7; free
        AZ-N25 a deadline during an operation: unknown, nothing is read or sent until its end
          cloud operation: 3m; on; within 1m 7 Unknown; blocked READING_BACK;
          sync Failed operationUnderWay TRANSIENT; resync; blocked READING_BACK; 3m; sync; has 7;
          writes 1; add 1
        AZ-N25 nor is anything released, or asked of Azure for that, until its end
          cloud operation: 3m; on; add 2 as two; plan two:1; within 1m 7 Unknown; mark sent;
          carryOut NothingReleased; sent +0
        AZ-N25 the same when no header names the operation: its provisioning state tells
          cloud operation: 3m, announcement: none; on; within 1m 7 Unknown;
          sync Failed operationUnderWay; blocked READING_BACK; 3m; sync; has 7; writes 1
        AZ-N25 AZ-N42 the same when the read of the operation is answered by 500, 404 or 403
          cloud operation: 3m; on; within 1m 7 Unknown; fault fail Operations.Get;
          sync Failed operationUnderWay; blocked READING_BACK; noFault;
          fault fail Operations.Get status=404 code=NotFound; sync Failed operationUnderWay;
          blocked READING_BACK; noFault;
          fault fail Operations.Get status=403 code=AuthorizationFailed;
          sync Failed operationUnderWay; blocked READING_BACK; 3m; sync; has 7; writes 1
        AZ-N25 the operation is not forgotten while there are no credentials
          cloud operation: 30m; on; within 1m 7 ?;
          fault fail * status=401 code=InvalidAuthenticationToken; sync Failed noCredentials;
          noFault; sync Failed operationUnderWay; blocked READING_BACK
        AZ-N25 after a restart the provisioning state tells: no second write meanwhile
          MACHINE: cloud operation: 3m; on; within 1m 7 ?; restart; sync Failed operationUnderWay;
          unknown; writes 1; 3m; sync; has 7
        AZ-N25 the same of an instance, whose list shows it as it was
          UNIFORM: cloud operation: 3m; on; within 1m 7 ?; restart; sync; free;
          allocate 7 Refused busy; writes 1; 3m; sync; has 7
        AZ-N25 after a restart no address seems to be gone while its interface is written
          MACHINE: cloud operation: 3m; on; add 7; within 1m 3 ?; restart; resync ?;
          sync Failed operationUnderWay; unknown; 3m; sync; has 10
        AZ-N25 nor when its status was written
          MACHINE: cloud operation: 3m; on; add 7; publish; within 1m 3 ?; restart published;
          resync ?; sync Failed operationUnderWay; unknown; 3m; sync; has 10
        AZ-N25 nor of an instance
          UNIFORM: cloud operation: 3m; on; add 7 as seven; within 1m 3 ?; restart; resync ?; sync;
          has seven; 3m; sync; has 10
        AZ-N25 nor of an instance whose status was written
          UNIFORM: cloud operation: 3m; on; add 7 as seven; publish; within 1m 3 ?;
          restart published; resync ?; sync; has seven; 3m; sync; has 10
        AZ-N25 after a restart no read counts until what was promised is released
          cloud operation: 3m; on; add 7 as seven; planUnused 2 seven!seven:2; carryOutMeanwhile;
          1s; writes 2; restart published seven:2; resync ?; sync Failed operationUnderWay; unknown;
          3m; sync; same has azure; free
        AZ-N25 or until the release has failed
          cloud operation: 3m; fault fail-operation write skip=1 times=1; on; add 7 as seven;
          planUnused 2 seven!seven:2; carryOutMeanwhile; 1s; writes 2; restart published seven:2;
          resync ?; sync Failed operationUnderWay; unknown; 3m; sync; same has azure; free
        AZ-N25 nor does a list that lags bring back what a predecessor has released
          UNIFORM: cloud operation: 20s, list-lag: 30s; 30s; on; allocate 7 ?; 2m; sync ?; has 7;
          name seven; planUnused 2 seven!seven:-2; carryOutMeanwhile; 21s; azure 7;
          restart seven:-1; sync; has seven!seven:-2
        AZ-N49 after a restart what pods use of an interface that failed is known, no more
          on; add 7 as seven; publish; fault fail-operation write times=1; allocate 3 Refused;
          restart published; sync; has seven; add 3; azure 10
        AZ-N26 an etag that is always old is a conflict after exactly three writes
          on; fault fail write status=412 code=PreconditionFailed; allocate 7 Refused CONFLICT etag;
          writes 3; free
        AZ-N31 a machine that is deleted between read and write is not made again
          on; before delete; allocate 7 !Allocated; 1m; sync ?; 2m; sync InstanceNotFound; written 1
        Z19 what only a later read shows is not lost and not added twice
          UNIFORM: cloud operation: 20s, list-lag: 30s; 30s; on; allocate 7 Unknown; 30s; sync ?;
          1m; sync ?; has 7; writes 1
        Z19 the interface of a virtual machine itself is never late
          MACHINE: cloud operation: 20s, list-lag: 30s; 30s; on; add 7; 30s; sync ?; 1m; sync ?;
          has 7; writes 1
        AZ-N25 an operation of the deleted node does not keep the next from a full read
          cloud operation: 3m; alwaysDue; on; within 1m 7 Unknown; remove; 3m; unread; resync;
          known; has 7; free
        AZ-N25 nor does a conflict that the deleted node had with another operator
          cloud operation: 3m; alwaysDue; on; add 2 as two; other on; other begin 1;
          release two:1 NothingReleased; remove; 3m; unread; resync; known; has 3; free;
          other ends Allocated
        Z19 what is shown counts; nothing more is asked for while the rest may still come
          UNIFORM: cloud; on; answers lackingTheLast; add 3 gets 2 as two; has two;
          blocked READING_BACK; answers asTheyAre; sync; has 3; writes 1
        Z19 a read that shows no more than the part does not settle that
          UNIFORM: cloud; on; answers lackingTheLast; add 3 gets 2; 30s; sync ?;
          blocked READING_BACK; 31s; answers asTheyAre; sync ?; free; has 3\
        """);
  }
}
