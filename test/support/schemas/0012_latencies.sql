UPDATE kv SET value = value || '["c815d004c1d81994b5dedfbc16ce1714a38564bef2ffe1718c09140d9dcf2665"]' WHERE key = 'migrations';
