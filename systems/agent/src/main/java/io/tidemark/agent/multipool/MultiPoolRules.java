package io.tidemark.agent.multipool;

import io.tidemark.agent.PoolName;
import io.tidemark.ip.IpFamily;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * How many addresses an agent asks for, and when it draws from a block.
 *
 * @param families the enabled ones
 * @param preAllocation free addresses to have at hand, by pool; other pools have none at hand
 * @param demand how the demand follows from use and pre-allocation
 * @param quarantine when a block is drawn from that was dropped before
 * @param offerGrace how long addresses may be on offer without being handed out or explained
 */
public record MultiPoolRules(
    Set<IpFamily> families,
    Map<PoolName, Integer> preAllocation,
    DemandRule demand,
    QuarantineRule quarantine,
    Duration offerGrace) {}
