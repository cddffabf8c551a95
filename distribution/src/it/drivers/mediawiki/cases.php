<?php
// Reads a wiki as its pages and its API do.
require_once getenv('MW_INSTALL_PATH') . '/maintenance/Maintenance.php';

class SuiteCases extends Maintenance {
    public function execute() {
        foreach ([['action' => 'query', 'list' => 'search', 'srsearch' => 'changed'], ['action' => 'query', 'list' => 'allpages'],
            ['action' => 'query', 'list' => 'categorymembers', 'cmtitle' => 'Category:Water'], ['action' => 'query', 'list' => 'allusers'],
            ['action' => 'query', 'list' => 'recentchanges', 'rcprop' => 'title|user|comment', 'rclimit' => 50],
            ['action' => 'query', 'list' => 'logevents', 'leprop' => 'title|type'],
            ['action' => 'query', 'prop' => 'links|categories|templates|revisions', 'titles' => 'River|Sea', 'rvprop' => 'comment|user'],
            ['action' => 'query', 'meta' => 'siteinfo', 'siprop' => 'statistics'], ['action' => 'parse', 'page' => 'River', 'prop' => 'links|categories']] as $request) {
            $api = new ApiMain(new FauxRequest($request));
            try {
                $api->execute();
                $result = $api->getResult()->getResultData(null, ['Strip' => 'all']);
                // Those of one second have no order.
                foreach (array_intersect(['recentchanges', 'logevents'], array_keys($result['query'] ?? [])) as $list) {
                    usort($result['query'][$list], fn($a, $b) => json_encode($a) <=> json_encode($b));
                }
                $shown = json_encode($result, JSON_UNESCAPED_UNICODE);
            } catch (Exception $e) {
                $shown = get_class($e) . ' ' . $e->getMessage();
            }
            $shown = preg_replace('/,"jobs":\d+/', '', $shown);
            $shown = preg_replace('/\d{4}-\d\d-\d\dT[\d:]+Z/', 'TIME', $shown);
            echo json_encode($request), "\n  ", $shown, "\n";
        }
        $dbw = $this->getDB(DB_PRIMARY);
        echo json_encode([$dbw->getServerInfo() !== '', $dbw->tableExists('page'), $dbw->fieldExists('page', 'page_id'), $dbw->indexExists('page', 'page_name_title'),
            $dbw->lock('suite', __METHOD__, 1), $dbw->unlock('suite', __METHOD__), $dbw->estimateRowCount('page') > 0, count($dbw->listTables())]), "\n";
        $dbw->startAtomic(__METHOD__, $dbw::ATOMIC_CANCELABLE);
        $dbw->insert('updatelog', [['ul_key' => 'suite']], __METHOD__);
        $dbw->cancelAtomic(__METHOD__);
        $dbw->upsert('updatelog', [['ul_key' => 'kept', 'ul_value' => '1']], 'ul_key', ['ul_value' => '2'], __METHOD__);
        echo json_encode([$dbw->selectField('updatelog', 'COUNT(*)', ['ul_key' => ['suite', 'kept']]), $dbw->affectedRows()]), "\n";
    }
}
$maintClass = SuiteCases::class;
require_once RUN_MAINTENANCE_IF_MAIN;
